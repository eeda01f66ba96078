import { startService } from '../service/service.ts'

export const start = startService
