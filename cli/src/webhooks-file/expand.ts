/** Values from the environment: `${NAME}` in URLs and headers. `$${` stands for `${`. */

const reference = /\$\$\{|\$\{([^}]*)(\}?)/g

export interface Expanded {
  value: string
  /** Names of the variables, without duplicates. */
  variables: readonly string[]
}

/** Throws an error whose message names the variable, never a value. */
export function expand(text: string, environment: NodeJS.ProcessEnv): Expanded {
  const variables = new Set<string>()
  const value = text.replaceAll(reference, (_, name: string | undefined, end: string) => {
    if (name === undefined) return '${'
    if (end === '' || !/^[A-Za-z_]\w*$/.test(name))
      throw new Error(
        '"${" begins the name of an environment variable, such as ${SHOP_TOKEN}. Write $${ for the text.',
      )
    // The credentials of this tool do not belong into requests to receivers.
    if (name.toUpperCase().startsWith('HOOKLINE_'))
      throw new Error(`The variable ${name} cannot be used in a file.`)
    const found = environment[name]
    if (!found) throw new Error(`The environment variable ${name} is ${found === '' ? 'empty' : 'not set'}.`)
    variables.add(name)
    return found
  })
  return { value, variables: [...variables] }
}

export function escape(text: string): string {
  return text.replaceAll('${', () => '$${')
}
