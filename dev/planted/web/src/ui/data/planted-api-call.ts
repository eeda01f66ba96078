export { queryClient } from '../../api/client.ts'
