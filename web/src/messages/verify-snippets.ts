/** Examples that verify `webhook-signature`: the files of the documentation. */
const files = import.meta.glob<string>('../../../docs/examples/verify/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const titles = {
  'verify.mjs': 'Node',
  'verify.py': 'Python',
  'verify.php': 'PHP',
  'verify.go': 'Go',
  'Verify.java': 'Java',
  'verify.rb': 'Ruby',
}

export const verifySnippets = Object.entries(titles).map(([file, title]) => ({
  title,
  text: files[`../../../docs/examples/verify/${file}`]?.trimEnd() ?? '',
}))
