import { readParams } from '../http/params.ts'

export const read = readParams
