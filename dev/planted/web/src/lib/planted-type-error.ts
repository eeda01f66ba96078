export const shown: number = document.title
