export const used = 1

export const unused = 2
