import { spawn } from 'node:child_process'

const programs: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  // Not by a shell, which would split the URL at `&`.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Whether a browser on this machine can show a page to the user. */
export function hasBrowser(): boolean {
  if (process.env.SSH_CONNECTION) return false
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** Returns whether a browser was started. */
export async function openInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = programs[process.platform] ?? []
  if (program === undefined || !hasBrowser()) return false
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: withoutSecrets() })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

/** The browser outlives the command, and its extensions and children see its environment. */
function withoutSecrets(): NodeJS.ProcessEnv {
  const { HOOKLINE_API_KEY: _, HOOKLINE_SECRET: __, HOOKLINE_SIGNING_KEY: ___, ...others } = process.env
  return others
}
