/** The names that its classes have in the page. What they are is `npm run check`'s to know, from each sheet. */
declare module '*.module.css' {
  const styles: Record<string, string>;
  export default styles;
}

/** A style sheet that is loaded with the module that imports it. */
declare module '*.css';
