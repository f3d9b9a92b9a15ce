/** Gives each worker a screen of its own: on one screen clipboard and focus would be shared. */
const displays = (process.env.JUMPSEAT_TEST_DISPLAYS ?? '').split(' ').filter((display) => display !== '');
const display = displays[(Number(process.env.VITEST_POOL_ID) - 1) % displays.length];
if (display !== undefined) process.env.DISPLAY = display;
