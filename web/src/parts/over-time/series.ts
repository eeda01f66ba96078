/** One line or row of bars: what is drawn, how it is called, in which colour. */
export interface Series {
  /** The field of the rows. */
  name: string
  title: string
  color: string
}
