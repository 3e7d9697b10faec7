// A certified OpenID provider whose clients get JWT access tokens for whatever they name as resource.
// The first key signs; keys are kept in a directory, so that a provider that starts again has them.
//
//   node provider.mjs PORT DIRECTORY KID:ALG [KID:ALG …]

import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Provider from "oidc-provider";

const [port, directory, ...words] = process.argv.slice(2);

function key(word) {
  const [kid, alg] = word.split(":");
  const path = join(directory, `${kid}.json`);
  if (!existsSync(path)) {
    const { privateKey } =
      alg === "ES256"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("rsa", { modulusLength: 2048 });
    writeFileSync(path, JSON.stringify(privateKey.export({ format: "jwk" })), { mode: 0o600 });
  }
  return { ...JSON.parse(readFileSync(path)), kid, alg, use: "sig" };
}

const keys = words.map(key);
const client = (name) => ({
  client_id: name,
  client_secret: "secret",
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
});
const provider = new Provider(`http://127.0.0.1:${port}`, {
  jwks: { keys },
  clients: [client("ann"), client("bob")],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: "play",
        audience: resource,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: keys[0].alg, kid: keys[0].kid } },
      }),
    },
  },
});
provider.listen(Number(port), "127.0.0.1");
