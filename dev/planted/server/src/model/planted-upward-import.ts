import { readParams } from '../http/operation/contract-params.ts'

export const read = readParams
