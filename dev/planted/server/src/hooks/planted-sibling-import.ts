import { createToken } from '../identity/keys/token.ts'

export const make = createToken
