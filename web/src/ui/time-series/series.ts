/** One area or bar series of a chart. */
export interface Series {
  /** Field name in the rows. */
  name: string
  title: string
  color: string
}
