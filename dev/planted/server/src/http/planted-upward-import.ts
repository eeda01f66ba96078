import { startService } from '../service.ts'

export const start = startService
