import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, Failure } from "../src/client.js";
import { daemon, fixture, hang, send, wire } from "./daemon.js";

const soon = () => AbortSignal.timeout(5000);

test("requests and answers match the wire fixtures", async (t) => {
  const server = await daemon(t, wire({ "/v1/recall": "recall", "/v1/search": "search_by_a_tool", "/v1/files": "files", "/v1/workspaces": "workspaces" }));
  const client = new Client(server.socket);
  const questions = [
    ["recall", () => client.recall(fixture("recall").request.body, soon()), (body) => body],
    ["search_by_a_tool", () => client.search(fixture("search_by_a_tool").request.body, soon()), (body) => body],
    ["files", () => client.files("notes", ["MEMORY.md", "USER.md"], soon()), (body) => body.files],
    ["workspaces", () => client.workspaces(soon()), (body) => body.workspaces],
  ];
  for (const [name, ask, part] of questions) {
    const { request, answer } = fixture(name);
    assert.deepEqual(await ask(), part(answer.body), name);
    const asked = server.asked.at(-1);
    assert.deepEqual([asked.method, asked.path, asked.body], [request.method, request.path, request.body], name);
    assert.equal(asked.headers.host, "localhost", name);
    assert.equal(asked.headers.origin, undefined, name);
  }
});

test("every request for texts says that a model reads them", async (t) => {
  const server = await daemon(t, wire({ "/v1/recall": "recall", "/v1/search": "search_by_a_tool", "/v1/files": "files", "/v1/memories": "memories", "/v1/workspaces": "workspaces" }));
  const client = new Client(server.socket);
  const requests = {
    search: () => client.search(fixture("search").request.body, soon()),
    files: () => client.files("notes", ["MEMORY.md"], soon()),
    memories: () => client.memories("notes", "memory/a.md", soon()),
  };
  const withoutAudience = ["constructor", "recall", "workspaces"]; // recall is always for a model, workspaces have no texts
  const names = Object.getOwnPropertyNames(Client.prototype).filter((name) => !withoutAudience.includes(name));
  assert.deepEqual(names.sort(), Object.keys(requests).sort(), "a new request decides who reads its answer");
  for (const name of names) {
    await requests[name]();
    const asked = server.asked.at(-1);
    const audience = asked.body?.for ?? new URL(asked.path, "http://localhost").searchParams.get("for");
    assert.equal(audience, "model", name);
  }
});

test("the daemon's errors keep code, message, hint and field", async (t) => {
  const server = await daemon(t, wire({}));
  for (const name of ["error_unavailable", "error_unknown_field", "error_not_found", "error_conflict"]) {
    const { status, body } = fixture(name).answer;
    server.answer = (_, response) => send(response, status, body);
    await assert.rejects(new Client(server.socket).workspaces(soon()), (failure) => {
      assert.deepEqual({ code: failure.code, message: failure.message, hint: failure.hint, field: failure.field }, body.error, name);
      assert.equal(failure.timedOut, false);
      return true;
    });
  }
});

test("an invalid answer is a Failure", async (t) => {
  const server = await daemon(t, hang);
  const cases = [
    ["not JSON", (_, response) => response.end("<html>"), "internal"],
    ["null", (_, response) => response.end("null"), "internal"],
    ["an error without a body", (_, response) => response.writeHead(500).end("{}"), "internal"],
    ["cut off", (_, response) => { response.writeHead(200, { "Content-Length": "100" }).write("{"); response.destroy(); }, "unavailable"],
    ["connection closed", (_, response) => response.destroy(), "unavailable"],
  ];
  for (const [name, answer, code] of cases) {
    server.answer = answer;
    await assert.rejects(new Client(server.socket).workspaces(soon()), (failure) => {
      assert.ok(failure instanceof Failure, name);
      assert.deepEqual([failure.code, failure.timedOut], [code, false], name);
      return true;
    });
  }
});

test("the timeout covers the body and the wait for it", async (t) => {
  const server = await daemon(t, hang);
  const drip = (_, response) => response.writeHead(200).write('{"workspaces":');
  for (const answer of [hang, drip]) {
    server.answer = answer;
    await assert.rejects(new Client(server.socket).workspaces(AbortSignal.timeout(40)), (failure) => failure instanceof Failure && failure.timedOut && failure.code === "unavailable");
  }
});

test("without a daemon the failure is unavailable, not a timeout", async () => {
  for (const socket of ["/nonexistent/tiered.sock", `/tmp/${"x".repeat(200)}/tiered.sock`]) {
    await assert.rejects(new Client(socket).workspaces(soon()), (failure) => failure instanceof Failure && failure.code === "unavailable" && !failure.timedOut && failure.message.includes(socket));
  }
});
