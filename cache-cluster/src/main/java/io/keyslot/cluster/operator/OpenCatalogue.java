// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.OperatorClient;
import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.InstancesCatalogue;
import io.keyslot.client.catalogue.InstancesCatalogue.InstanceCopies;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.register.Generation;
import io.keyslot.cluster.move.Connectors;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The open catalogue and the partitions of its newest map, for operators' programs. May block; thread-safe. */
public final class OpenCatalogue implements AutoCloseable {
    private static final URI WHO = URI.create("keyslot:operator");
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration LONGEST_FIRST_READ = Duration.ofSeconds(3);
    private static final int MOST_ATTEMPTS = 50;
    private static final Duration BETWEEN_READS = Duration.ofMillis(50);

    private final OperatorClient client;
    private final MoveTime time;
    private final MapStore maps;
    private final Connectors connectors;
    private final Object learning = new Object();
    private volatile PartitionMap known; // written while holding learning
    private @Nullable String doubt;

    private OpenCatalogue(OperatorClient client) {
        this.client = client;
        this.time = new MoveTime(client.timing().ticker(), client.waiter());
        this.maps = new KnownMaps();
        this.connectors = new Connectors(client.door());
        this.known = client.configured();
        look();
    }

    /** Opens the catalogue, even if partitions do not answer. Throws {@link RefusedException} for engine cluster. */
    public static OpenCatalogue of(ClientOptions options) {
        refuseCluster(options);
        return new OpenCatalogue(OperatorClient.open(options));
    }

    /** Throws {@link RefusedException} if the servers own the slots, so that there is no map. */
    public static void refuseCluster(ClientOptions options) {
        if (options.engine() == Engine.CLUSTER) {
            throw new RefusedException(
                    RefusedException.Kind.OF_SERVERS, "With engine cluster there is no map: the servers own the slots");
        }
    }

    public static OpenCatalogue of(Properties properties) {
        return of(options(properties));
    }

    /** Opens the catalogue; throws {@link RefusedException} if its map never changes. */
    public static OpenCatalogue changeable(ClientOptions options) {
        if (options.engine() == Engine.EMBEDDED) {
            throw new RefusedException(
                    "Partitions that live in the process of the application are not moved by commands");
        }
        refuseCluster(options);
        if (options.catalogue().kind() == CatalogueOptions.Kind.CONFIGURATION) {
            throw new RefusedException(
                    "The map is that of the configuration (catalogue: configuration) and never changes");
        }
        return of(options);
    }

    public static ClientOptions options(Properties properties) {
        ClassLoader loader = new ConfigurationLoader.WithoutApplications(OpenCatalogue.class.getClassLoader());
        return ConfigurationLoader.load(WHO, WHO, loader, properties, System::getenv);
    }

    private void look() {
        doubt = repeated(this::unread, Optional::isEmpty).orElse(null);
    }

    /** Reads the copy of the map; if there is none, returns why there may be a newer map than the configuration's. */
    private Optional<String> unread() {
        Optional<PartitionMap> copy = await(client.catalogue().copy(), Optional::empty);
        if (copy.isPresent()) {
            learn(copy.get());
            return Optional.empty();
        }
        CatalogueAnswer answer =
                await(client.catalogue().look(), () -> new CatalogueAnswer.Unavailable("no answer in time"));
        return answer instanceof CatalogueAnswer.Unavailable ? Optional.of(answer.why()) : Optional.empty();
    }

    /** Asks again for some seconds: an instance that rejects clients without the newest map is still being connected. */
    private <T> T repeated(Supplier<T> question, Predicate<T> isEnough) {
        Deadline deadline = Deadline.after(time.ticker(), LONGEST_FIRST_READ);
        T answer = question.get();
        while (!isEnough.test(answer) && !deadline.isOver()) {
            time.waiter().pause(BETWEEN_READS);
            answer = question.get();
        }
        return answer;
    }

    private <T> T await(CompletableFuture<T> answer, Supplier<T> onTimeout) {
        return time.await(answer, LONGEST, onTimeout);
    }

    /** Waits for the answer to a change of the map. */
    public CatalogueAnswer await(CompletableFuture<CatalogueAnswer> answer) {
        return await(answer, () -> new CatalogueAnswer.Unknown("no answer in time"));
    }

    private void learn(PartitionMap map) {
        synchronized (learning) {
            if (map.stamp().isNewerThan(known.stamp())) {
                known = map;
                connectors.know(map);
                // Otherwise the barrier of a move would wait for this client to read the map.
                CompletableFuture<PartitionMap> unused = client.source().refresh(map.version());
            }
        }
    }

    /** Returns the newest map that was read or stored here. */
    public PartitionMap newest() {
        return known;
    }

    /** Reads the newest copy of the map, and returns the newest map that is known. */
    public PartitionMap refreshed() {
        Optional<String> unused = unread();
        return known;
    }

    /** Returns why a newer map than that of the configuration may exist, if no other map was read. */
    public Optional<String> doubt() {
        return known.equals(client.configured()) ? Optional.ofNullable(doubt) : Optional.empty();
    }

    /** Returns the author of changes by this program. */
    public static String actor() {
        return "keyslot, by " + System.getProperty("user.name", "unknown");
    }

    /** Returns the commit of a change by this program; {@code operation} gets a unique suffix. */
    public MapCommit commit(String operation, String reason) {
        return new MapCommit(operation + "-" + UUID.randomUUID(), actor(), reason, time.now());
    }

    /**
     * Changes the newest map, again if another change comes first. Throws {@link RefusedException} if the change is not
     * allowed, and {@link MapStore.UnavailableException} if it is not known whether it was made.
     */
    public PartitionMap change(String operation, String reason, UnaryOperator<MapContent> change)
            throws MapStore.UnavailableException {
        MapCommit commit = commit(operation, reason);
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            // An earlier attempt may still succeed, so its outcome is read before the next one.
            PartitionMap map = attempt == 0 ? first() : maps.read();
            if (map.commit().operation().equals(commit.operation())) {
                return map;
            }
            if (maps.compareAndSet(map, next(map, commit, change)) == MapStore.Stored.DONE) {
                return newest(); // the first change starts a generation
            }
            time.waiter().pause(BETWEEN_READS);
        }
        throw new MapStore.UnavailableException("Others change the map all the time: try again");
    }

    private PartitionMap first() {
        try {
            return maps.look();
        } catch (MapStore.UnavailableException e) {
            throw new RefusedException("Nothing was changed: " + e.getMessage());
        }
    }

    private static PartitionMap next(PartitionMap map, MapCommit commit, UnaryOperator<MapContent> change) {
        try {
            return map.next(commit, change);
        } catch (InvalidMapException e) {
            throw new RefusedException("Nothing was changed: " + String.join("; ", e.problems()));
        } catch (IllegalArgumentException e) {
            throw new RefusedException("Nothing was changed: " + e.getMessage());
        }
    }

    public MapStore maps() {
        return maps;
    }

    public Catalogue catalogue() {
        return client.catalogue();
    }

    /** Returns the copies of the map at the instances, if they store it. Retries for some seconds. */
    public Optional<InstanceCopies> copies() {
        return client.catalogue() instanceof InstancesCatalogue instances
                ? Optional.of(repeated(
                        () -> await(instances.copies(), () -> InstanceCopies.NONE),
                        seen -> seen.silent().isEmpty()))
                : Optional.empty();
    }

    /** Returns the last changes of the map, the oldest first. Retries like {@link #copies}. */
    public List<Catalogue.MapChange> history() {
        if (known.stamp().generation().equals(Generation.CONFIGURED)) {
            return List.of();
        }
        return repeated(
                () -> await(client.catalogue().history(), List::of),
                changes -> !changes.isEmpty() && changes.get(changes.size() - 1).version() >= known.version());
    }

    public OperatorClient client() {
        return client;
    }

    public MoveTime time() {
        return time;
    }

    /**
     * Returns a new connector for a coordinator. It marks an unused instance as this partition, unless the map is only
     * that of the configuration, which may be wrong. Closed with this object.
     */
    public PartitionConnector connector(PartitionId id) {
        PartitionMap map = known;
        MappedPartition partition = map.content()
                .partition(id)
                .filter(MappedPartition::mayOwn)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Map %s has no partition %s that may own slots".formatted(map.stamp(), id)));
        boolean isAgreed = !map.stamp().generation().equals(Generation.CONFIGURED);
        return connector(partition, isAgreed ? Adoption.UNUSED : Adoption.NEVER);
    }

    /** Returns a new connector to a partition, which need not be in the map yet. Closed with this object. */
    public PartitionConnector connector(MappedPartition partition, Adoption adoption) {
        return connectors.connector(partition, known, adoption);
    }

    @Override
    public void close() {
        connectors.close();
        client.close();
    }

    /** A blocking view of the catalogue for coordinators. Safe for use by several threads. */
    private final class KnownMaps implements MapStore {
        private volatile boolean wasRead;

        @Override
        public PartitionMap read() throws UnavailableException {
            try {
                return asked(client.catalogue()::read);
            } catch (UnavailableException e) {
                if (wasRead) {
                    throw e;
                }
                throw new RefusedException("Nothing was changed: " + e.getMessage());
            }
        }

        @Override
        public PartitionMap look() throws UnavailableException {
            return asked(client.catalogue()::look);
        }

        /** The first time it retries, because instances that reject clients without the newest map are still being connected. */
        private PartitionMap asked(Supplier<CompletableFuture<CatalogueAnswer>> question) throws UnavailableException {
            CatalogueAnswer answer = wasRead
                    ? await(question.get())
                    : repeated(() -> await(question.get()), first -> first instanceof CatalogueAnswer.Ok);
            if (!(answer instanceof CatalogueAnswer.Ok ok)) {
                throw new UnavailableException(answer.why());
            }
            wasRead = true;
            learn(ok.map());
            return ok.map();
        }

        @Override
        public Stored compareAndSet(PartitionMap before, PartitionMap next) {
            CatalogueAnswer answer = await(client.catalogue().compareAndSet(next));
            if (answer instanceof CatalogueAnswer.Ok ok) {
                learn(ok.map()); // the first change starts a generation
            }
            return stored(answer);
        }

        /** The stored map arrives here as at any other client, because reading it now would delay waiting clients. */
        @Override
        public Prepared prepare(PartitionMap before, PartitionMap next) {
            Supplier<CompletableFuture<CatalogueAnswer>> prepared = time.await(
                    client.catalogue().prepare(next),
                    LONGEST,
                    () -> () -> client.catalogue().compareAndSet(next));
            return () -> prepared.get().thenApply(KnownMaps::stored);
        }

        private static Stored stored(CatalogueAnswer answer) {
            if (answer instanceof CatalogueAnswer.Ok) {
                return Stored.DONE;
            }
            return answer instanceof CatalogueAnswer.Unknown ? Stored.UNKNOWN : Stored.CONFLICT;
        }
    }
}
