export const count: number = 'one'
