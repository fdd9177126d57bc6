// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Executes a {@link Formation}. Thread-safe. */
final class Forming {
    private final Acceptors acceptors;
    private final CompletableFuture<RegisterAnswer> over = new CompletableFuture<>();
    private final Formation.Step first;
    private Formation formation; // guarded by this

    Forming(Acceptors acceptors, Formation.Step first) {
        this.acceptors = acceptors;
        this.first = first;
        this.formation = first.formation();
    }

    CompletableFuture<RegisterAnswer> run() {
        send(first.sendings());
        return over;
    }

    private void send(List<Round.Sending> sendings) {
        for (Round.Sending sending : sendings) {
            CompletableFuture<Void> unused =
                    acceptors.ask(sending.to(), sending.request()).thenAccept(answer -> take(sending, answer));
        }
    }

    private void take(Round.Sending sending, AcceptorAnswer answer) {
        Formation.Step step;
        synchronized (this) {
            step = formation.on(sending.to(), sending.request(), answer);
            formation = step.formation();
        }
        RegisterAnswer end = step.formation().answer();
        if (end != null) {
            over.complete(end);
        } else {
            send(step.sendings());
        }
    }
}
