/** Creates or edits a channel. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  type Channel,
  type NewChannel,
  type NoticeGroup,
  useChangeChannel,
  useCreateChannel,
} from '../../../api/notices.ts'
import { findErrorField } from '../../../messages/errors.ts'
import { channelText, groupNames, groupText, modeText } from '../../../messages/notices.ts'
import dialog from '../../../ui/feedback/dialog.module.css'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import styles from './notices.module.css'

const kinds = Object.entries(channelText).map(([value, { label }]) => ({ value, label }))
const modes = (['instant', 'daily', 'weekly'] as const).map((value) => ({ value, label: modeText[value] }))

/** What most channels are for: problems that somebody should act on. */
const defaultGroups: readonly NoticeGroup[] = ['failing', 'disabled', 'lost', 'certificates', 'credentials']

const empty: NewChannel = { kind: 'slack', name: '', target: '', groups: [...defaultGroups], mode: 'instant' }

interface ChannelDialogProps {
  /** Undefined: creates a channel. */
  channel?: Channel
  close: () => void
}

export function ChannelDialog({ channel, close }: ChannelDialogProps) {
  return channel === undefined ? (
    <NewChannelForm close={close} />
  ) : (
    <EditForm channel={channel} close={close} />
  )
}

function NewChannelForm({ close }: { close: () => void }) {
  const create = useCreateChannel()
  const [values, setValues] = useState(empty)
  const text = channelText[values.kind]
  const field = findErrorField(create.error, { target: 'target', target_url: 'target', name: 'name' })
  const submit = () =>
    create.mutate(values, {
      onSuccess() {
        close()
        toast(
          values.kind === 'email'
            ? `Link sent to ${values.target.trim()}`
            : 'Channel added. Send a test to check it.',
        )
      },
    })
  return (
    <ChannelForm
      title="Add channel"
      action="Add channel"
      values={values}
      change={(changed) => setValues({ ...values, ...changed })}
      submit={submit}
      isBusy={create.isPending}
      error={field === undefined ? create.error : null}
      nameError={field === 'name' ? create.error?.message : undefined}
      close={close}
    >
      <NativeSelect
        label="Type"
        data={kinds}
        value={values.kind}
        onChange={(event) => {
          const kind = event.currentTarget.value as Channel['kind']
          setValues({ ...values, kind, target: '' })
        }}
      />
      <TextInput
        label={text.target}
        description={text.hint}
        type={values.kind === 'email' ? 'email' : 'url'}
        autoComplete="off"
        required
        withAsterisk={false}
        value={values.target}
        onChange={(event) => setValues({ ...values, target: event.currentTarget.value })}
        error={field === 'target' && create.error?.message}
      />
    </ChannelForm>
  )
}

function EditForm({ channel, close }: { channel: Channel; close: () => void }) {
  const edit = useChangeChannel(channel)
  const [values, setValues] = useState({ name: channel.name, groups: channel.groups, mode: channel.mode })
  return (
    <ChannelForm
      title={`Edit ${channel.name}`}
      action="Save channel"
      values={values}
      change={(changed) => setValues({ ...values, ...changed })}
      submit={() =>
        edit.mutate(values, {
          onSuccess() {
            close()
            toast('Channel saved')
          },
        })
      }
      isBusy={edit.isPending}
      error={edit.error}
      close={close}
    />
  )
}

type Settings = Pick<Channel, 'name' | 'groups' | 'mode'>

interface ChannelFormProps {
  title: string
  action: string
  values: Settings
  change: (values: Partial<Settings>) => void
  submit: () => void
  isBusy: boolean
  error: Error | null
  nameError?: string | undefined
  close: () => void
  children?: React.ReactNode
}

function ChannelForm(props: ChannelFormProps) {
  const { title, action, values, change, submit, isBusy, error, nameError, close, children } = props
  const { name, groups, mode } = values
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <Dialog title={title} close={close} isBusy={isBusy}>
      <form className={dialog.body} onSubmit={handleSubmit}>
        {children}
        <TextInput
          label="Name"
          description="For you and other members, for example #alerts."
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={nameError}
        />
        <Checkbox.Group label="Notices" value={groups} onChange={(chosen) => change({ groups: chosen })}>
          <div className={styles.choices}>
            {groupNames.map((group) => (
              <Checkbox key={group} value={group} label={groupText[group].label} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect
          label="Send"
          data={modes}
          value={mode}
          onChange={(event) => change({ mode: event.currentTarget.value as Channel['mode'] })}
        />
        <ErrorNotice error={error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={groups.length === 0}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
