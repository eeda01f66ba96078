export { type FailureCode, type Keys, type SignedRequest, type Verification, verify } from './verify.ts'
