// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of the {@link Handshake} that decides whether an instance may be used, by its record or its contents. */
record Agreement(HandshakeCommands commands, PartitionIdentity identity, Remembered remembered, Survey survey) {
    private static final Logger LOG = LoggerFactory.getLogger(Agreement.class);

    /** The permission to use an instance, and whether it may hold foreign keys. */
    record Consent(InstanceRecord instance, boolean isGuarded) {}

    CompletableFuture<Consent> examine(InstanceRecord instance, ServerInfo server) {
        check(instance);
        if (!instance.isBlankFor(identity)) {
            return CompletableFuture.completedFuture(new Consent(instance, instance.isGuarded()));
        }
        if (instance.isAny()) {
            return joined(instance);
        }
        // In this order: keys that existed before a record was found missing were stored without one.
        CompletableFuture<Long> count =
                commands.ask("count the keys", commands.redis().dbsize());
        CompletableFuture<InstanceRecord> again = commands.readRecord();
        return count.thenCompose(keys ->
                again.thenCompose(present -> present.isAny() ? examine(present, server) : survey(keys, server)));
    }

    /** Where foreign keys are possible, none may use the names that are ours from now on. */
    private CompletableFuture<Consent> joined(InstanceRecord instance) {
        Consent consent = new Consent(instance, instance.isGuarded());
        return instance.isGuarded() && !identity.keyspace().isEmpty()
                ? unlessReservedNames(false, consent)
                : CompletableFuture.completedFuture(consent);
    }

    private CompletableFuture<Consent> survey(long keys, ServerInfo server) {
        InstanceRecord none = new InstanceRecord(Map.of());
        Optional<Boolean> known = remembered.isGuarded(server.runId());
        if (keys == 0 || known.isPresent()) {
            return CompletableFuture.completedFuture(new Consent(none, keys > 0 && known.orElse(false)));
        }
        return survey.look(keys).thenCompose(kind -> switch (kind) {
            case UNUSED -> CompletableFuture.completedFuture(new Consent(none, false));
            case OURS -> CompletableFuture.completedFuture(new Consent(none, true));
            case FOREIGN -> {
                if (identity.adoption() != Adoption.ALWAYS) {
                    throw commands.failure(Kind.REJECTED, survey.objection());
                }
                yield unlessReservedNames(true, new Consent(none, true));
            }
        });
    }

    private CompletableFuture<Consent> unlessReservedNames(boolean withoutNamespace, Consent consent) {
        return survey.reservedName(withoutNamespace).thenApply(found -> {
            if (found.isPresent()) {
                throw commands.failure(
                        Kind.REJECTED,
                        ("the instance holds keys whose names begin with %s and no record of Keyslot that says whose they"
                                        + " are; these names are Keyslot's, so not even adoptInstances: always takes it."
                                        + " Give Keyslot a database or an instance of its own")
                                .formatted(found.get()));
            }
            return consent;
        });
    }

    CompletableFuture<Consent> agree(Consent consent) {
        if (identity.adopts() && consent.instance().isOutdatedFor(identity)) {
            return follow().thenApply(recorded -> new Consent(recorded, consent.isGuarded()));
        }
        return identity.adopts() && consent.instance().isBlankFor(identity)
                ? adopt(consent.isGuarded())
                        .thenApply(this::check)
                        .thenApply(recorded -> new Consent(recorded, consent.isGuarded() || recorded.isGuarded()))
                : CompletableFuture.completedFuture(consent);
    }

    /** Replaces an outdated map. If two clients do so at once, the one with the older map connects again. */
    private CompletableFuture<InstanceRecord> follow() {
        Map.Entry<String, String> map = InstanceRecord.mapOf(identity);
        return write(commands.redis().hset(HandshakeCommands.META, Resp.word(map.getKey()), Resp.word(map.getValue())))
                .thenCompose(written -> commands.readRecord())
                .thenApply(this::check);
    }

    /** Another client may adopt at the same moment, so the record is read again afterwards. */
    private CompletableFuture<InstanceRecord> adopt(boolean isGuarded) {
        if (isGuarded) {
            LOG.warn(
                    "{}: the instance holds what Keyslot may not have stored, and leaves it alone: from now on every write"
                            + " looks before it stores. Keyslot is faster with a database of its own",
                    commands.address());
        }
        CompletableFuture<?>[] writes = InstanceRecord.adoption(identity, isGuarded).entrySet().stream()
                .map(field -> write(commands.redis()
                        .hsetnx(HandshakeCommands.META, Resp.word(field.getKey()), Resp.word(field.getValue()))))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(writes).thenCombine(commands.readRecord(), (done, instance) -> instance);
    }

    /** Writes nothing if the server refuses writes for now, for example because it is full; it can still be read. */
    private <T> CompletableFuture<Optional<T>> write(CompletionStage<T> answer) {
        return answer.handle((value, failure) -> {
                    if (failure == null) {
                        return Optional.of(value);
                    }
                    if (ConnectDiagnosis.isWriteRefused(failure)) {
                        LOG.debug("{}: keyslot:meta cannot be written for now", commands.address(), failure);
                        return Optional.<T>empty();
                    }
                    throw new CompletionException(
                            ConnectDiagnosis.of(commands.address(), "write keyslot:meta", failure));
                })
                .toCompletableFuture();
    }

    private InstanceRecord check(InstanceRecord instance) {
        long needed = instance.neededBy(identity);
        if (needed > 0) {
            throw commands.outdated(identity, needed); // slots have moved: the record is right
        }
        Optional<String> objection = instance.objectionTo(identity);
        if (objection.isPresent()) {
            throw commands.failure(Kind.REJECTED, objection.get());
        }
        return instance;
    }
}
