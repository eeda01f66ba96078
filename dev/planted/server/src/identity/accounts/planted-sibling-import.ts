import type { TokenKind } from '../keys/token.ts'

export const kind: TokenKind = 'hlk'
