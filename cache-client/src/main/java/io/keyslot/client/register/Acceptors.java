// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Silent;
import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sends requests to instances. Thread-safe; no future completes exceptionally. */
record Acceptors(Function<PartitionId, Acceptor> ways) {
    CompletableFuture<RegisterReport> report(Set<PartitionId> of, Supplier<RegisterReport.Trust> trust) {
        Map<PartitionId, CompletableFuture<AcceptorAnswer>> answers = new TreeMap<>();
        of.forEach(instance -> answers.put(instance, ask(instance, new AcceptorRequest.Read())));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> reportOf(answers, trust.get()));
    }

    private static RegisterReport reportOf(
            Map<PartitionId, CompletableFuture<AcceptorAnswer>> answers, RegisterReport.Trust trust) {
        Map<PartitionId, Viewed> views = new TreeMap<>();
        Map<PartitionId, String> silent = new TreeMap<>();
        answers.forEach((instance, future) -> {
            AcceptorAnswer answer = valueOf(future);
            if (answer instanceof Viewed view) {
                views.put(instance, view);
            } else {
                silent.put(instance, answer instanceof Silent none ? none.why() : "it answers something else");
            }
        });
        return new RegisterReport(views, silent, trust);
    }

    static AcceptorAnswer valueOf(CompletableFuture<AcceptorAnswer> answered) {
        return answered.getNow(new Silent("no answer"));
    }

    CompletableFuture<AcceptorAnswer> ask(PartitionId instance, AcceptorRequest request) {
        return ways.apply(instance)
                .ask(request)
                .exceptionally(failure -> new Silent("unexpected failure, please report it: " + failure));
    }
}
