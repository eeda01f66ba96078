/** How busy a pool of database connections is. */
export interface PoolUse {
  size: number
  active: number
  idle: number
  /** Statements that wait for a connection. */
  waiting: number
}
