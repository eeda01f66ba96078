export { catalogue } from '../../server/src/model/errors.ts'
