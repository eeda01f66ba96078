import { packageFile } from '../model/package-files.ts'

export const migrationsFolder = packageFile('migrations/')
