import { loadConfig } from '../config.ts'

export const load = loadConfig
