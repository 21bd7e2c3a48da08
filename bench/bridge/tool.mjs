// The tool that every contestant calls: it says which question it answers, after `work` milliseconds.
export const definition = {
  name: 'answer',
  description: 'Answers',
  inputSchema: {
    type: 'object',
    properties: { question: { type: 'number' }, work: { type: 'number' } },
    required: ['question', 'work'],
  },
}

export async function answer({ question, work }) {
  if (work > 0) await new Promise(done => setTimeout(done, work))
  return { content: [{ type: 'text', text: `answer to ${question}` }] }
}
