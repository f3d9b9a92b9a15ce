/** A style sheet that is loaded with the module that imports it. */
declare module '*.css';
