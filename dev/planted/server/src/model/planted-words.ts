/** Code that judges events. */
export const mostEvents = 1
