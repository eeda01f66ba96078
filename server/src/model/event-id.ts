/** The smallest id of an instant, as the database's `uuid_v7_floor` makes it: ids of events grow with time. */
export function floorOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
