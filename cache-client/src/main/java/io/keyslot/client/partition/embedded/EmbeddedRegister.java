// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorState;
import java.util.HashMap;
import java.util.Map;

/** The voter states of a partition in this process, by namespace, in one run: from a start to the next. Thread-safe. */
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

    /** Returns the register of the next run, without state. */
    EmbeddedRegister forgotten() {
        return new EmbeddedRegister(serverRun + 1, Map.of());
    }

    EmbeddedRegister restarted() {
        return restartedWith(this);
    }

    EmbeddedRegister restartedWith(EmbeddedRegister saved) {
        synchronized (saved.states) {
            return new EmbeddedRegister(serverRun + 1, saved.states);
        }
    }

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
