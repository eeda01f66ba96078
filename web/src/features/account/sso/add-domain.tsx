/** Adds an email domain. The list then shows its DNS record. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAddDomain } from '../../../api/sso.ts'
import { findErrorField } from '../../../messages/errors.ts'
import dialog from '../../../ui/feedback/dialog.module.css'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'

export function AddDomain({ close }: { close: () => void }) {
  const add = useAddDomain()
  const [name, setName] = useState('')
  const isNamed = findErrorField(add.error, { domain: 'domain' }) !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(name.trim(), { onSuccess: close })
  }
  return (
    <Dialog title="Add domain" close={close} isBusy={add.isPending}>
      <form className={dialog.body} onSubmit={submit}>
        <TextInput
          label="Domain"
          description="The part of your emails after the @. You prove it with a DNS record."
          placeholder="example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isNamed && add.error?.message}
          data-autofocus
        />
        {!isNamed && <ErrorNotice error={add.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={add.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Add domain
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
