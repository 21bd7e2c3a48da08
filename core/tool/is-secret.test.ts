import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findSecretFields,
  isSecretAt,
  isSecretName,
  isSecretValue,
  mayContainSecret,
  noFields,
} from './is-secret.ts'

const secret = [
  ...[
    'token',
    'githubToken',
    'GITHUB_TOKEN',
    'access_token',
    'refreshToken',
    'id_token',
    'api_token',
    'authToken',
  ],
  ...['bot_token', 'session_token', 'oauth_token', 'app_token', 'x-auth-token', 'csrfToken', 'access_tokens'],
  ...[
    'api_key',
    'apiKey',
    'apikey',
    'X-Api-Key',
    'x-goog-api-key',
    'OPENAI_API_KEY',
    'app_key',
    'access_key',
  ],
  ...[
    'private_key',
    'privateKey',
    'ssh_private_key',
    'signerKey',
    'submitKey',
    'secretAccessKey',
    'account_key',
  ],
  ...['encryption_key', 'service_key', 'signing_key', 'license_key', 'api_keys'],
  ...['password', 'passwd', 'pwd', 'passphrase', 'passcode', 'db_password', 'mongo_initdb_root_password'],
  ...['keydb_password', 'newPassword', 'PGPASSWORD', 'db_pass', 'smtpPass', 'pass'],
  ...['secret', 'secrets', 'client_secret', 'clientSecret', 'webhook_secret', 'accessSecret'],
  ...['Authorization', 'Proxy-Authorization', 'auth', 'basic_auth', 'bearer', 'bearerToken', 'jwt', 'otp'],
  ...['credential', 'credentials', 'awsCredentials', 'Cookie', 'Set-Cookie', 'session_cookie', 'cookies'],
]

const plain = [
  ...[
    'page_token',
    'pageToken',
    'nextPageToken',
    'next_token',
    'NextToken',
    'continuationToken',
    'cursor_token',
  ],
  ...['syncToken', 'skiptoken', '$skiptoken', 'skip_token', 'start_token', 'delta_token', 'pagination_token'],
  ...['tokens', 'max_tokens', 'maxTokens', 'max_tokens_per_page', 'num_tokens', 'token_count', 'tokenCount'],
  ...['total_tokens', 'prompt_tokens', 'completionTokens', 'token_limit', 'token_budget', 'input_tokens'],
  ...['tokenId', 'token_id', 'token_address', 'tokenSymbol', 'token_in', 'token_type', 'file_token'],
  ...['folder_token', 'tokenizer', 'tokenized', 'stop_token', 'design_token'],
  ...[
    'key',
    'keys',
    'keywords',
    'monkey',
    'search_key',
    'idempotency_key',
    'changeKey',
    'tenantKey',
    'public_key',
  ],
  ...['partition_key', 'issueKey', 'projectKey', 'primary_key', 'ssh_public_key', 'hetzner_ssh_key_ids'],
  ...[
    'private_key_uuid',
    'cloud_provider_token_uuid',
    'api_key_id',
    'secretType',
    'secret_name',
    'hasPassword',
  ],
  ...[
    'isPasscodeRequired',
    'requireAuth',
    'use_token',
    'password_file',
    'token-file',
    'TOKEN_PATH',
    'tokenUrl',
  ],
  ...['author', 'authors', 'authenticated', 'authentication_type', 'authorize', 'auth_method', 'bypass'],
  ...[
    'passenger',
    'compass',
    'pass_rate',
    'secretary',
    'cookie_name',
    'acceptCookies',
    'sessionId',
    'private',
  ],
  ...['signature', 'name', 'build', 'passport_number', 'monkey_patch', ''],
]

describe('isSecretName', () => {
  it('is tested with at least 60 names, each once', () => {
    const all = [...secret, ...plain]
    expect(all.length).toBeGreaterThanOrEqual(60)
    expect(new Set(all).size).toBe(all.length)
  })
  it.each(secret)('calls %s secret', name => expect(isSecretName(name)).toBe(true))
  it.each(plain)('does not call %s secret', name => expect(isSecretName(name)).toBe(false))
})

describe('mayContainSecret', () => {
  it('says no only if no name is secret', () => {
    const part = fc.constantFrom(
      ...[...secret, ...plain].flatMap(name => name.split(/(?=[A-Z])|[_-]/)),
      'SSH',
    )
    const name = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '_', '-', ' ', '.'))
      .map(([parts, separator]) => parts.join(separator))
    fc.assert(fc.property(name, text => mayContainSecret(`{"${text}":1}`) || !isSecretName(text)))
    expect(mayContainSecret('{"message":"hello","count":3}')).toBe(false)
  })
  it.each(['\\u0070assword', 'AKIAIOSFODNN7EXAMPLE', 'xoxb-1234567890'])('says that %s may be', text =>
    expect(mayContainSecret(text)).toBe(true),
  )
})

describe('findSecretFields', () => {
  it('marks properties at any depth, through unions and arrays', () => {
    const schema = {
      properties: {
        pin: { anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] },
        list: { items: { properties: { code: { writeOnly: true }, open: {} } } },
      },
    }
    expect([...findSecretFields(schema).marked].sort()).toEqual(['code', 'pin'])
  })

  it('accepts a schema that contains itself', () => {
    const schema: Record<string, unknown> = { properties: {} }
    schema.properties = { self: schema, pin: { format: 'password' } }
    expect([...findSecretFields(schema).marked]).toEqual(['pin'])
  })

  it('does not count a number, a flag or one of a list of values as secret', () => {
    const fields = findSecretFields({
      properties: {
        token: { type: 'integer' },
        auth: { enum: ['none', 'basic'] },
        password: { type: ['boolean', 'null'] },
        secret: { type: 'integer' },
        other: { properties: { secret: { type: 'string' } } },
      },
    })
    expect(['token', 'auth', 'password', 'secret'].filter(name => isSecretAt([name], fields))).toEqual([
      'secret',
    ])
  })
})

describe('isSecretAt', () => {
  it.each([
    [['headers', 'Authorization'], true],
    [['api_keys', 0], true],
    [['credentials', 'user'], true],
    [['cookies', 0, 'value'], true],
    [['auth', 'user'], false],
    [['auth', 'password'], true],
    [['authorization', 'type'], false],
    [['list', 0, 'name'], false],
    [[], false],
  ] as const)('decides that %j is secret: %s', (path, expected) =>
    expect(isSecretAt(path, noFields)).toBe(expected),
  )
})

it.each([
  [`ghp_${'a'.repeat(36)}`, true],
  [`Bearer sk-${'x'.repeat(20)}`, true],
  ['eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl', true],
  [`see ghp_${'a'.repeat(36)}`, false],
  ['hello', false],
])('isSecretValue: decides that %s is secret: %s', (value, expected) => {
  expect(isSecretValue(value)).toBe(expected)
  // A global regular expression remembers where it was.
  expect(isSecretValue(value)).toBe(expected)
})
