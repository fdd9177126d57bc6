// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.map.Coordinator;
import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.MapRules;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.DecidedValue;
import io.keyslot.client.register.Generation;
import io.keyslot.client.register.KnownTexts;
import io.keyslot.client.register.Register;
import io.keyslot.client.register.RegisterAnswer;
import io.keyslot.client.register.RegisterChange;
import io.keyslot.client.register.RegisterReport;
import io.keyslot.client.register.Stamp;
import io.keyslot.client.register.Update;
import io.keyslot.slot.PartitionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Register} over the partitions themselves. With up to two partitions, one votes; with more, three vote. All
 * have copies. Before the first change there is no register, and the map is the configured one, which all clients know.
 * When a client reads an instance that has lost its state, it restores it; see {@link Losses}.
 */
public final class InstancesCatalogue implements Catalogue {
    private static final Logger LOG = LoggerFactory.getLogger(InstancesCatalogue.class);

    /** The number of voters, if there are as many partitions. */
    static final int VOTERS = 3;

    /**
     * The attempts of a recovery: an operator waits for it, and slow or lost instances become known in the meantime.
     */
    private static final int RECOVERIES = 5;

    private static final Duration BETWEEN_RECOVERIES = Duration.ofMillis(500);

    private static final KnownTexts<MapDocument> KNOWN = new KnownTexts<>();

    private final Register register;
    private final PartitionMap configured;
    private final Timing timing;
    private final Executor reader;
    private final AtomicReference<@Nullable DecidedValue> newest = new AtomicReference<>();
    private final Losses losses;

    /** Instances are read in turn, so that a loss is noticed soon. */
    private final AtomicInteger turn;

    private final AtomicReference<Set<PartitionId>> doubted = new AtomicReference<>(Set.of());

    private volatile boolean closed;

    /**
     * Creates a catalogue. The reader parses new maps and runs what follows, so it must not be a thread that others
     * wait for.
     */
    public InstancesCatalogue(Register register, PartitionMap configured, Timing timing, Executor reader) {
        this.register = register;
        this.configured = configured;
        this.timing = timing;
        this.reader = reader;
        this.losses = new Losses(register, timing, this::learn);
        register.trust(voters(asked(configured), Set.of()), null);
        this.turn = new AtomicInteger(
                timing.random().nextInt(Integer.MAX_VALUE)); // different from that of clients started at the same time
    }

    @Override
    public CompletableFuture<CatalogueAnswer> read() {
        return ifFormed(report -> register.readQuorum());
    }

    @Override
    public CompletableFuture<CatalogueAnswer> look() {
        return ifFormed(register::readQuorum);
    }

    private CompletableFuture<CatalogueAnswer> ifFormed(
            Function<RegisterReport, CompletableFuture<RegisterAnswer>> question) {
        return register.report()
                .thenCompose(report -> report.isFormed()
                        ? question.apply(report).thenApply(this::answer)
                        : CompletableFuture.completedFuture(withoutRegister(report)));
    }

    /** A silent instance may know of a register. */
    private CatalogueAnswer withoutRegister(RegisterReport report) {
        return report.silent().isEmpty()
                ? new CatalogueAnswer.Ok(configured)
                : new CatalogueAnswer.Unavailable(report.silent().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(silent -> silent.getKey() + " does not answer (" + silent.getValue() + ")")
                                .collect(Collectors.joining(", "))
                        + ", and may have a newer map than the others, which have that of the configuration");
    }

    private static String names(Set<PartitionId> instances) {
        return instances.stream().map(PartitionId::name).sorted().collect(Collectors.joining(", "));
    }

    @Override
    public CompletableFuture<List<Catalogue.MapChange>> history() {
        return register.report()
                .thenApply(report -> report.newest()
                        .map(decided -> decided.value().operations().stream()
                                .map(InstancesCatalogue::change)
                                .toList())
                        .orElse(List.of()));
    }

    private static Catalogue.MapChange change(RegisterChange made) {
        if (!made.about().isEmpty()) {
            return Catalogue.MapChange.of(made.version(), made.id(), made.about());
        }
        String[] parts = made.id().split("/", 3);
        String reason = parts[0].equals("vote")
                ? parts[1] + " had lost its memory, and decides again"
                : "those who decide have changed";
        return new Catalogue.MapChange(made.version(), made.id(), "", "a client", reason);
    }

    public CompletableFuture<InstanceCopies> copies() {
        return register.report().thenApply(report -> {
            Map<PartitionId, MapStamp> copies = new HashMap<>();
            Set<PartitionId> behind = new HashSet<>();
            Optional<Stamp> newest = report.newest().map(DecidedValue::stamp);
            report.views().forEach((instance, view) -> {
                DecidedValue copy = view.copy();
                if (copy != null) {
                    copies.put(
                            instance,
                            new MapStamp(copy.generation(), copy.value().version()));
                }
                if (newest.isPresent() && (copy == null || newest.get().isAfter(copy.stamp()))) {
                    behind.add(instance);
                }
            });
            return new InstanceCopies(copies, behind, report.lost(), report.unconfirmed(), report.silent());
        });
    }

    public CompletableFuture<Integer> giveCopies() {
        return register.report()
                .thenCompose(report ->
                        report.newest().map(register::spread).orElseGet(() -> CompletableFuture.completedFuture(0)));
    }

    @Override
    public CompletableFuture<Optional<MapStamp>> stamp() {
        List<PartitionId> all = register.instances().stream().sorted().toList();
        if (all.isEmpty() || closed) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        PartitionId instance = all.get(Math.floorMod(turn.getAndIncrement(), all.size()));
        return register.stampAt(instance).thenApply(seen -> seen.map(stamped -> stampOf(instance, stamped)));
    }

    private static MapStamp stampOf(Stamp copy) {
        return new MapStamp(copy.generation(), copy.version());
    }

    private MapStamp stampOf(PartitionId instance, AcceptorAnswer.Stamped stamped) {
        DecidedValue known = newest.get();
        if (known != null) {
            losses.giveBack(instance, stamped, known);
        }
        return stamped.copy() == null ? configured.stamp() : stampOf(stamped.copy());
    }

    private void learn(DecidedValue decided) {
        DecidedValue known = newest.accumulateAndGet(
                decided, (before, given) -> before == null || given.stamp().isAfter(before.stamp()) ? given : before);
        if (known != null) {
            register.trust(known.value().voters().instances(), known);
        }
    }

    @Override
    public CompletableFuture<Optional<PartitionMap>> copy() {
        return register.report()
                .thenApplyAsync(
                        report -> {
                            warnOf(report.unconfirmed());
                            Optional<DecidedValue> newest = report.newest();
                            newest.ifPresent(this::learn);
                            return newest.flatMap(InstancesCatalogue::read);
                        },
                        reader);
    }

    private void warnOf(Set<PartitionId> unconfirmed) {
        if (!doubted.getAndSet(unconfirmed).equals(unconfirmed) && !unconfirmed.isEmpty()) {
            LOG.warn(
                    "Slot maps that neither a majority of those who decide nor of the instances confirms are not used: at {}",
                    names(unconfirmed));
        }
    }

    private static String write(PartitionMap map) {
        String text = MapDocument.textOf(map);
        KNOWN.keep(text, MapDocument.of(map));
        return text;
    }

    private static MapDocument document(DecidedValue decided) {
        return KNOWN.read(
                decided.value().text(), unknown -> MapDocument.read(unknown.getBytes(StandardCharsets.UTF_8)));
    }

    private static Optional<PartitionMap> read(DecidedValue decided) {
        try {
            return Optional.of(document(decided).map())
                    .filter(map -> map.stamp().equals(stampOf(decided)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private CatalogueAnswer answer(DecidedValue decided) {
        try {
            return new CatalogueAnswer.Ok(document(decided).changeable());
        } catch (IllegalArgumentException e) {
            return new CatalogueAnswer.Unavailable(
                    "what the instances have agreed on cannot be read: " + e.getMessage());
        }
    }

    private static MapStamp stampOf(DecidedValue decided) {
        return new MapStamp(decided.generation(), decided.value().version());
    }

    /** Avoids parsing the text of a known map. */
    private CatalogueAnswer answer(RegisterAnswer answer, PartitionMap next) {
        if (answer instanceof RegisterAnswer.Ok ok && stampOf(ok.decided()).equals(next.stamp())) {
            learn(ok.decided());
            return new CatalogueAnswer.Ok(next);
        }
        return answer(answer);
    }

    private CatalogueAnswer answer(RegisterAnswer answer) {
        if (answer instanceof RegisterAnswer.Ok ok) {
            learn(ok.decided());
            return answer(ok.decided());
        }
        if (answer instanceof RegisterAnswer.Conflict conflict) {
            learn(conflict.decided());
            return conflict(conflict.decided());
        }
        if (answer instanceof RegisterAnswer.NotMade none) {
            return conflict(none.decided());
        }
        if (answer instanceof RegisterAnswer.Fenced fenced) {
            return new CatalogueAnswer.Fenced(fenced.by());
        }
        if (answer instanceof RegisterAnswer.Invalid invalid) {
            return new CatalogueAnswer.Invalid(invalid.rule());
        }
        if (answer instanceof RegisterAnswer.Unknown unknown) {
            return new CatalogueAnswer.Unknown(unknown.why());
        }
        return new CatalogueAnswer.Unavailable(answer.toString());
    }

    private CatalogueAnswer conflict(DecidedValue decided) {
        return answer(decided) instanceof CatalogueAnswer.Ok ok
                ? new CatalogueAnswer.Conflict(ok.map())
                : answer(decided);
    }

    @Override
    public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
        return register.report().thenCompose(report -> {
            if (report.isFormed()) {
                return change(next, report);
            }
            // Another process may have started the register at instances that do not answer now.
            return report.silent().isEmpty() ? form(next) : CompletableFuture.completedFuture(withoutRegister(report));
        });
    }

    /** Starts the register, whose generation the map gets. */
    private CompletableFuture<CatalogueAnswer> form(PartitionMap next) {
        Optional<CatalogueAnswer> objection = objection(configured, next);
        if (objection.isPresent()) {
            return CompletableFuture.completedFuture(objection.get());
        }
        return register.form(
                        next.commit().operation(),
                        Catalogue.MapChange.about(next.commit()),
                        next.parent(),
                        generation -> write(in(generation, next)),
                        voters(presentOf(next), Set.of()))
                .thenApply(this::answer);
    }

    /** New partitions are not connected yet; they can vote from a later change on. */
    private List<PartitionId> presentOf(PartitionMap next) {
        return asked(next).stream()
                .filter(id -> configured.partition(id).isPresent())
                .toList();
    }

    private static List<PartitionId> asked(PartitionMap map) {
        return map.askedPartitions().stream().map(MappedPartition::name).toList();
    }

    private static PartitionMap in(Generation generation, PartitionMap map) {
        return new PartitionMap(new MapStamp(generation, map.version()), map.commit(), map.content());
    }

    /** Present voters stay if they are in the map; the first partitions of the map are added. */
    private static Set<PartitionId> voters(List<PartitionId> asked, Set<PartitionId> present) {
        int wanted = asked.size() < VOTERS ? 1 : VOTERS;
        List<PartitionId> inOrder = new ArrayList<>(asked);
        inOrder.sort((one, other) -> Boolean.compare(!present.contains(one), !present.contains(other)));
        return Set.copyOf(inOrder.subList(0, Math.min(wanted, inOrder.size())));
    }

    private record Vote(Set<PartitionId> leaving, Set<PartitionId> joining) {
        static Vote of(Optional<DecidedValue> copy, PartitionMap next) {
            Set<PartitionId> present =
                    copy.map(decided -> decided.value().voters().instances()).orElse(Set.of());
            Set<PartitionId> wanted = copy.isPresent() ? voters(asked(next), present) : present;
            Set<PartitionId> leaving = new HashSet<>(present);
            leaving.removeAll(wanted);
            Set<PartitionId> joining = new HashSet<>(wanted);
            joining.removeAll(present);
            return new Vote(leaving, joining);
        }

        boolean stays() {
            return leaving.isEmpty() && joining.isEmpty();
        }
    }

    @Override
    public CompletableFuture<Supplier<CompletableFuture<CatalogueAnswer>>> prepare(PartitionMap next) {
        return register.report()
                .thenCompose(report -> report.isFormed()
                                && Vote.of(report.copy(), next).stays()
                        ? register.prepare(report, replacing(next, Set.of(), Map.of()))
                                .thenApply(change -> () -> change.get().thenApply(answer -> answer(answer, next)))
                        : Catalogue.super.prepare(next));
    }

    private CompletableFuture<CatalogueAnswer> change(PartitionMap next, RegisterReport report) {
        Optional<DecidedValue> copy = report.copy();
        Vote vote = Vote.of(copy, next);
        return lives(vote.joining(), report, copy.map(DecidedValue::generation)).thenCompose(lives -> {
            boolean areThere = lives.size() == vote.joining().size();
            return areThere || vote.leaving().isEmpty()
                    ? replace(next, report, vote.leaving(), areThere ? lives : Map.of())
                    : CompletableFuture.completedFuture(withoutLives(vote.joining(), lives.keySet()));
        });
    }

    /** A new voter that does not answer joins with a later change, unless a voter is to be replaced. */
    private CompletableFuture<CatalogueAnswer> replace(
            PartitionMap next, RegisterReport report, Set<PartitionId> leaving, Map<PartitionId, String> joining) {
        return register.change(report, replacing(next, leaving, joining)).thenApply(answer -> answer(answer, next));
    }

    private static Update.Replace replacing(
            PartitionMap next, Set<PartitionId> leaving, Map<PartitionId, String> joining) {
        return new Update.Replace(
                next.commit().operation(),
                Catalogue.MapChange.about(next.commit()),
                next.parent(),
                write(next),
                leaving,
                joining,
                present -> objection(present, next));
    }

    private static CatalogueAnswer withoutLives(Set<PartitionId> joining, Set<PartitionId> begun) {
        Set<PartitionId> missing = new HashSet<>(joining);
        missing.removeAll(begun);
        return new CatalogueAnswer.Unavailable("these are to decide from now on, and do not answer: " + names(missing));
    }

    private CompletableFuture<Map<PartitionId, String>> lives(
            Set<PartitionId> joining, RegisterReport report, Optional<Generation> generation) {
        Map<PartitionId, String> lives = new HashMap<>();
        CompletableFuture<Map<PartitionId, String>> all = CompletableFuture.completedFuture(lives);
        for (PartitionId instance : joining) {
            AcceptorAnswer.Viewed view = report.views().get(instance);
            if (view != null && generation.isPresent()) {
                all = all.thenCombine(register.incarnation(instance, view, generation.get()), (known, incarnation) -> {
                    incarnation.ifPresent(begun -> known.put(instance, begun));
                    return known;
                });
            }
        }
        return all;
    }

    private static Optional<RegisterAnswer> objection(DecidedValue present, PartitionMap next) {
        PartitionMap map;
        try {
            map = document(present).changeable();
        } catch (IllegalArgumentException e) {
            return Optional.of(new RegisterAnswer.Invalid("the present map cannot be changed: " + e.getMessage()));
        }
        return objection(map, next)
                .map(objection -> objection instanceof CatalogueAnswer.Fenced fenced
                        ? new RegisterAnswer.Fenced(fenced.by())
                        : new RegisterAnswer.Conflict(present));
    }

    /**
     * Starts another generation, because a majority of the voters has lost its state. Only an operator does this; a
     * decided map that no readable instance has is lost. An attempt that ends halfway is repeated after a pause; if all
     * fail, the answer is {@code Unknown}, and the call must be repeated. It continues from a map of which an instance
     * has a copy, and which only the operator can confirm; {@code gone} never come back.
     */
    public CompletableFuture<CatalogueAnswer> recover(
            String operation, MapStamp from, UnaryOperator<PartitionMap> change, Set<PartitionId> gone) {
        return register.report().thenCompose(report -> {
            Map<PartitionId, DecidedValue> copies = new TreeMap<>();
            report.views().forEach((instance, view) -> {
                DecidedValue copy = view.copy();
                if (copy != null) {
                    copies.put(instance, copy);
                }
            });
            List<DecidedValue> named = Stream.concat(Stream.ofNullable(newest.get()), copies.values().stream())
                    .distinct()
                    .filter(copy -> stampOf(copy).equals(from) && read(copy).isPresent())
                    .toList();
            return named.size() == 1
                    ? recover(operation, named.get(0), change, gone, RECOVERIES)
                    : CompletableFuture.completedFuture(new CatalogueAnswer.Invalid((named.isEmpty()
                                    ? "no instance that answers shows"
                                    : "instances show different maps by the name")
                            + " " + from + "; these have copies: "
                            + copies.entrySet().stream()
                                    .map(copy -> copy.getKey() + " of " + stampOf(copy.getValue()))
                                    .collect(Collectors.joining(", "))));
        });
    }

    private CompletableFuture<CatalogueAnswer> recover(
            String operation,
            DecidedValue base,
            UnaryOperator<PartitionMap> change,
            Set<PartitionId> gone,
            int attempts) {
        return recoverOnce(operation, base, change, gone).thenCompose(answer -> {
            CompletableFuture<CatalogueAnswer> next = new CompletableFuture<>();
            boolean isHalfWay = answer instanceof CatalogueAnswer.Unknown;
            boolean goesOn = (isHalfWay || answer instanceof CatalogueAnswer.Unavailable)
                    && attempts > 1
                    && timing.schedule(
                                    () -> Futures.whenOver(
                                            recover(operation, base, change, gone, attempts - 1),
                                            (last, failure) -> next.complete(
                                                    isHalfWay && last instanceof CatalogueAnswer.Unavailable
                                                            ? new CatalogueAnswer.Unknown(last.why())
                                                            : last == null ? answer : last)),
                                    BETWEEN_RECOVERIES.toNanos())
                            .isPresent();
            return goesOn ? next : CompletableFuture.completedFuture(answer);
        });
    }

    private CompletableFuture<CatalogueAnswer> recoverOnce(
            String operation, DecidedValue base, UnaryOperator<PartitionMap> change, Set<PartitionId> gone) {
        PartitionMap before = document(base).map();
        return register.report().thenCompose(report -> {
            Set<PartitionId> answering = new HashSet<>(report.views().keySet());
            answering.removeAll(gone);
            List<PartitionId> able = change.apply(before).askedPartitions().stream()
                    .map(MappedPartition::name)
                    .filter(answering::contains)
                    .toList();
            Set<PartitionId> voters =
                    Set.copyOf(able.subList(0, able.size() < VOTERS ? Math.min(1, able.size()) : VOTERS));
            return register.recover(
                            operation,
                            Catalogue.MapChange.about(change.apply(before).commit()),
                            base,
                            (generation, value) -> write(change.apply(new PartitionMap(
                                    new MapStamp(generation, value.version() + 1), before.commit(), before.content()))),
                            voters,
                            gone)
                    .thenApply(this::answer);
        });
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Returns why a map may not follow; empty if it may. */
    private static Optional<CatalogueAnswer> objection(PartitionMap present, PartitionMap next) {
        for (Move move : next.moves()) {
            Optional<Coordinator> other = present.move(move.id()).map(Move::coordinator);
            if (other.isPresent() && other.get().epoch() > move.coordinator().epoch()) {
                return Optional.of(new CatalogueAnswer.Fenced("%s carries out move %s since epoch %d"
                        .formatted(other.get().id(), move.id(), other.get().epoch())));
            }
        }
        boolean follows =
                present.stamp().generation().equals(next.stamp().generation()) && present.version() == next.parent();
        return follows ? wrong(present, next) : Optional.of(new CatalogueAnswer.Conflict(present));
    }

    private static Optional<CatalogueAnswer> wrong(PartitionMap present, PartitionMap next) {
        List<String> problems = MapRules.problemsBetween(present, next);
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(new CatalogueAnswer.Invalid(String.join("; ", problems)));
    }

    /**
     * What the instances store of the decided map: the stamps of copies, instances behind, voters that have lost their
     * state, instances whose map or vote is not believed, and silent ones with the reason.
     */
    public record InstanceCopies(
            Map<PartitionId, MapStamp> copies,
            Set<PartitionId> behind,
            Set<PartitionId> lost,
            Set<PartitionId> doubted,
            Map<PartitionId, String> silent) {
        public static final InstanceCopies NONE = new InstanceCopies(Map.of(), Set.of(), Set.of(), Set.of(), Map.of());

        public InstanceCopies {
            copies = Map.copyOf(copies);
            behind = Set.copyOf(behind);
            lost = Set.copyOf(lost);
            doubted = Set.copyOf(doubted);
            silent = Map.copyOf(silent);
        }
    }
}
