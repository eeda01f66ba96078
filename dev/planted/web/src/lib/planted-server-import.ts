export { errorCatalog } from '../../../server/src/model/errors.ts'
