// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.FenceKeys;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.ScriptCalls;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.SlotFence;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The commands on fences, each a script or a native command. They are not checked against fences themselves. */
public final class RedisFences {
    private static final String COORDINATOR = "coordinator";
    private static final char NONE = '-';
    private static final char UNWRITTEN = '=';

    private final CommandWriter writer;
    private final FenceKeys keys;
    private final Route route;
    private final ScriptCalls scripts;

    public RedisFences(CommandWriter writer, FenceKeys keys, Route route) {
        this.writer = writer;
        this.keys = keys;
        this.route = route.withoutFence();
        this.scripts = new ScriptCalls(writer, this.route);
    }

    public CompletableFuture<? extends Reply<?>> execute(FenceCommand<?> command) {
        if (command instanceof FenceCommand.SetFence set) {
            return set(set);
        }
        if (command instanceof FenceCommand.SetMinVersion min) {
            return setMinVersion(min);
        }
        return read();
    }

    private CompletableFuture<Reply<Boolean>> set(FenceCommand.SetFence command) {
        FenceCommand.To to = command.to();
        List<EncodedKey> scriptKeys = new ArrayList<>(List.of(keys.fence()));
        List<byte[]> arguments = new ArrayList<>(List.of(
                Requests.text(Long.toString(command.coordinator())),
                Requests.text(to.move()),
                Requests.text(letters(command.from())),
                Requests.text(String.valueOf(letter(to.state()))),
                Requests.text(Long.toString(to.mapVersion()))));
        command.slots().forEach((slot, ownership) -> {
            scriptKeys.add(keys.dirty(slot));
            arguments.add(Requests.text(slot));
            arguments.add(Requests.text(Long.toString(ownership)));
        });
        return scripts.send(ScriptCall.of(Script.SET_FENCE, scriptKeys, arguments));
    }

    private static String letters(FenceCommand.From from) {
        StringBuilder letters = new StringBuilder();
        from.states().forEach(state -> letters.append(state.letter()));
        if (from.orNone()) {
            letters.append(NONE);
        }
        return from.unwritten() ? letters.append(UNWRITTEN).toString() : letters.toString();
    }

    private static char letter(SlotFence.@Nullable State state) {
        return state == null ? NONE : state.letter();
    }

    private CompletableFuture<Reply<FenceCommand.Fences>> read() {
        return writer.write(writer.bare(
                CommandType.HGETALL, RespAnswers.valueList(), Requests.bare(keys.fence()), route, RedisFences::fences));
    }

    private static FenceCommand.Fences fences(List<byte[]> fieldsAndValues) {
        long coordinator = 0;
        Map<Integer, SlotFence> slots = new HashMap<>();
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            String field = RespAnswers.text(fieldsAndValues.get(i));
            String value = RespAnswers.text(fieldsAndValues.get(i + 1));
            if (field.equals(COORDINATOR)) {
                coordinator = Long.parseLong(value);
            } else {
                slots.put(Integer.parseInt(field), fence(value));
            }
        }
        return new FenceCommand.Fences(coordinator, slots);
    }

    private static SlotFence fence(String value) {
        List<String> words = List.of(value.split(" ", -1));
        return new SlotFence(
                SlotFence.State.of(words.get(0).charAt(0)),
                words.get(1),
                Long.parseLong(words.get(2)),
                Long.parseLong(words.get(3)));
    }

    private CompletableFuture<Reply<Long>> setMinVersion(FenceCommand.SetMinVersion command) {
        return scripts.count(ScriptCall.of(
                Script.SET_MIN_VERSION,
                InstanceRecord.KEY,
                List.of(
                        Requests.text(InstanceRecord.minVersionField(keys.namespace())),
                        Requests.text(Long.toString(command.mapVersion())))));
    }
}
