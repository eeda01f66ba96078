export { theme } from '../../app/theme.ts'
