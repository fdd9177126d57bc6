// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.ScriptCalls;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The commands of a group's lock, each a script. */
public record LockCommands(ScriptCalls scripts, Requests requests) {
    public CompletableFuture<Reply<Long>> lock(LockCommand.Lock command) {
        return scripts.count(ScriptCall.of(
                Script.LOCK, List.of(command.home().lock(), command.home().stamps()), requests.lock(command)));
    }

    public CompletableFuture<Reply<Boolean>> renew(LockCommand.RenewLock command) {
        return scripts.send(ScriptCall.of(Script.RENEW_LOCK, command.home().lock(), requests.renewLock(command)));
    }

    public CompletableFuture<Reply<Boolean>> unlock(LockCommand.Unlock command) {
        return scripts.send(ScriptCall.of(
                Script.UNLOCK, List.of(command.home().lock(), command.home().stamps()), requests.unlock(command)));
    }
}
