/**
 * Reads the token of an email link, and removes it from the address bar and the history. It is in the URL fragment, which
 * browsers never send to a server.
 */
import { useEffect, useState } from 'react'

export function useLinkToken(): string {
  const [token, setToken] = useState(readToken)
  useEffect(() => {
    // Another link of the same page, opened in this tab, loads no document.
    const take = () => {
      const next = readToken()
      if (next === '') return
      setToken(next)
      history.replaceState(history.state, '', location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}

function readToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
}
