/** A short word about something that is done, or could not be, for those who see and those who hear. */
import { notifications } from '@mantine/notifications'

export function say(message: string, tone: 'good' | 'bad' = 'good'): void {
  notifications.show({
    message,
    color: tone === 'good' ? 'teal' : 'red',
    withBorder: true,
    autoClose: tone === 'good' ? 4_000 : 10_000,
  })
}
