// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Sign;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;

/** Looks for a {@link Sign} at a server, regardless of the server's users. */
public final class SignCheck {
    private static final byte[] SOMETHING = {1};

    private final HandshakeCommands commands;
    private final Sign sign;

    private SignCheck(HandshakeCommands commands, Sign sign) {
        this.commands = commands;
        this.sign = sign;
    }

    /** Takes the step and looks. Fails with a {@link ConnectFailure}, possibly within a completion exception. */
    public static CompletableFuture<Sign.Sighting> of(
            RedisAsyncCommands<byte[], byte[]> redis, String address, Sign sign) {
        return new SignCheck(new HandshakeCommands(redis, address), sign).look();
    }

    private CompletableFuture<Sign.Sighting> look() {
        CompletableFuture<String> server = commands.askOr(
                "ask INFO server", commands.redis().info("server"), () -> CompletableFuture.completedFuture(""));
        return step().thenCompose(
                        done -> commands.ask("read a sign", commands.redis().get(key())))
                .thenCombine(
                        server,
                        (value, told) -> new Sign.Sighting(
                                ServerInfo.parseOrNameless(told, "").runId(), value != null));
    }

    private CompletableFuture<?> step() {
        return switch (sign.step()) {
            case LOOK -> CompletableFuture.completedFuture(true);
            case LEAVE ->
                commands.ask(
                        "write a sign",
                        commands.redis().set(key(), SOMETHING, SetArgs.Builder.px(Sign.KEPT.toMillis())));
            case REMOVE -> commands.ask("remove a sign", commands.redis().unlink(key()));
        };
    }

    private byte[] key() {
        return sign.key().bytes();
    }
}
