import { makeToken } from '../identity/keys/token.ts'

export const make = makeToken
