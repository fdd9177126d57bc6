// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.PushCommand.Channels;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The requests of one connection about pushes: tracking, subscriptions, publishing. */
public final class PushRequests {
    private final CommandWriter writer;
    private final BooleanSupplier areInOrder;
    private final AtomicReference<PushCommand.@Nullable Track> way = new AtomicReference<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet(); // prefixes
    private final Channels channels = new Channels();

    /** Creates the requests; the supplier returns whether the server sends invalidations in order with its replies. */
    public PushRequests(CommandWriter writer, BooleanSupplier areInOrder) {
        this.writer = writer;
        this.areInOrder = areInOrder;
    }

    /** Refuses if the server is older: it sends invalidations before or after the replies between which they belong. */
    public CompletableFuture<Reply<Boolean>> track(PushCommand.Track command) {
        if (!areInOrder.getAsBoolean()) {
            return CompletableFuture.completedFuture(Reply.refused(
                    Refusal.FORBIDDEN, "the server does not tell in order what has changed; Redis 7.0 or Valkey does"));
        }
        PushCommand.Track before = way.compareAndExchange(null, command);
        PushCommand.Track chosen = before == null ? command : before;
        boolean isByPrefixes =
                !command.prefixes().isEmpty() && !chosen.prefixes().isEmpty();
        if (!isByPrefixes && !command.equals(chosen)) {
            // A server would switch to the new mode and report success.
            return CompletableFuture.completedFuture(
                    Reply.refused(Refusal.FORBIDDEN, "this connection is told in another way already"));
        }
        // A server refuses a prefix that it tracks already.
        List<String> more = command.prefixes().stream().filter(asked::add).toList();
        if (isByPrefixes && more.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.done(true));
        }
        CommandArgs<byte[], byte[]> arguments = arguments().add("TRACKING").add("ON");
        if (command.isOfAsked()) {
            arguments.add("OPTIN");
        }
        if (isByPrefixes) {
            arguments.add("BCAST");
            more.forEach(prefix -> arguments.add("PREFIX").add(Requests.text(prefix)));
        }
        return writer.write(ofClient(arguments).then(reply -> {
            if (reply instanceof Reply.Refused) {
                more.forEach(asked::remove);
                if (asked.isEmpty()) {
                    way.set(null);
                }
            }
            return null;
        }));
    }

    /** Sends a tracked read, then untracked commands. {@code CLIENT CACHING YES} comes first, and must succeed. */
    public <R> CompletableFuture<Reply<R>> sendTracked(RoutedCommand<?, R> read, RoutedCommand<?, ?>... behind) {
        return writer.writeAfter(ofClient(arguments().add("CACHING").add("YES")), read, behind);
    }

    private RoutedCommand<Boolean, Boolean> ofClient(CommandArgs<byte[], byte[]> arguments) {
        return writer.command(CommandType.CLIENT, RespAnswers.ok(), arguments, Route.ANY, RespAnswers::isOk);
    }

    public CompletableFuture<Reply<Boolean>> subscribe(PushCommand.Subscribe command) {
        if (!channels.admit(command.channels())) {
            return CompletableFuture.completedFuture(Channels.tooMany());
        }
        CommandArgs<byte[], byte[]> arguments = arguments();
        command.channels().forEach(channel -> arguments.add(Requests.text(channel)));
        return writer.write(writer.command(
                CommandType.SUBSCRIBE,
                new Confirmations(command.channels().size()),
                arguments,
                Route.ANY,
                confirmed -> true));
    }

    public CompletableFuture<Reply<Long>> publish(PushCommand.Publish command) {
        byte[] payload = new byte[command.payload().remaining()];
        command.payload().get(payload);
        return writer.write(writer.bare(
                CommandType.PUBLISH,
                RespAnswers.integer(),
                new byte[][] {Requests.text(command.channel()), payload},
                Route.ANY,
                Function.identity()));
    }

    private static CommandArgs<byte[], byte[]> arguments() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE);
    }
}
