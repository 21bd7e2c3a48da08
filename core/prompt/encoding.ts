/**
 * The encoding of the counts, and its error for other models. According to Anthropic, its models since Opus 4.7 count
 * some 30% more than earlier ones (https://platform.claude.com/docs/en/build-with-claude/token-counting), which were
 * measured at 16 to 30% more than o200k_base. Google says four characters a token
 * (https://ai.google.dev/gemini-api/docs/tokens); o200k_base has 4.1 on 1,154 tools of published servers. The counts do
 * not include what a provider wraps around the tools.
 */
export const encoding = {
  name: 'o200k_base',
  note: 'exact with OpenAI models since GPT-4o; Claude counts 15 to 70% more, Gemini about the same',
} as const
