// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorState;
import java.util.HashMap;
import java.util.Map;

/**
 * What a partition in this process remembers of the registers about the maps, for each namespace, in one reign: from a start
 * to the next. Safe for use by several threads.
 */
final class EmbeddedRegister {
    private final long serverRun;
    private final Map<String, AcceptorState> states; // guarded by itself
    private long begun; // guarded by states

    EmbeddedRegister() {
        this(1, Map.of());
    }

    private EmbeddedRegister(long serverRun, Map<String, AcceptorState> states) {
        this.serverRun = serverRun;
        this.states = new HashMap<>(states);
    }

    /** Returns that of the next start, if all was forgotten. */
    EmbeddedRegister forgotten() {
        return new EmbeddedRegister(serverRun + 1, Map.of());
    }

    /** Returns that of the next start, by what this one knows. */
    EmbeddedRegister restarted() {
        return restartedWith(this);
    }

    /** Returns that of the next start, by what another one knew. */
    EmbeddedRegister restartedWith(EmbeddedRegister saved) {
        synchronized (saved.states) {
            return new EmbeddedRegister(serverRun + 1, saved.states);
        }
    }

    /** Returns a copy, which nothing changes. */
    EmbeddedRegister copy() {
        synchronized (states) {
            return new EmbeddedRegister(serverRun, states);
        }
    }

    AcceptorAnswer ask(RegisterCommand command) {
        synchronized (states) {
            AcceptorState.Applied applied = states.getOrDefault(command.namespace(), AcceptorState.BLANK)
                    .on(command.request(), "start-" + serverRun, serverRun + "." + ++begun);
            states.put(command.namespace(), applied.state());
            return applied.answer();
        }
    }
}
