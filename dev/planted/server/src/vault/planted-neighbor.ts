import { openDatabase } from '../db/database.ts'

export const open = openDatabase
