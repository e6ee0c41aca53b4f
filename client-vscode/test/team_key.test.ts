import assert from "node:assert/strict";
import { test } from "node:test";
import { hostOf, keepKey, withKey, type Secrets } from "../src/team_key";

const HOST = "https://host.example.org";

/** A secret storage in memory. */
function storage(): Secrets {
  const kept = new Map<string, string>();
  return {
    get: (name) => Promise.resolve(kept.get(name)),
    store: (name, value) => Promise.resolve(void kept.set(name, value)),
    delete: (name) => Promise.resolve(void kept.delete(name)),
  };
}

test("a server gets the key of its own host, beside the address that it is for", async () => {
  const secrets = storage();
  await keepKey(secrets, HOST, " secret ");
  assert.deepEqual(await withKey({ PATH: "/bin" }, HOST, secrets), {
    PATH: "/bin", DOVETAIL_TEAM_KEY: `${HOST} secret`,
  });
  assert.deepEqual(await withKey({ PATH: "/bin" }, "https://other.example.org", secrets), { PATH: "/bin" });
  assert.deepEqual(await withKey({ PATH: "/bin" }, null, secrets), { PATH: "/bin" });
});

test("a key that is left empty is forgotten, and a variable of the user's own stays then", async () => {
  const secrets = storage();
  await keepKey(secrets, HOST, "secret");
  await keepKey(secrets, HOST, "");
  const own = { DOVETAIL_TEAM_KEY: `${HOST} own` };
  assert.deepEqual(await withKey(own, HOST, secrets), own);
});

test("a setting names a host or none", () => {
  assert.equal(hostOf(` ${HOST} `), HOST);
  for (const none of ["", "  ", null, undefined, 7]) {
    assert.equal(hostOf(none), null);
  }
});
