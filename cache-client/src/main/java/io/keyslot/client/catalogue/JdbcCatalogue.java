// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.Generation;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * The map in a database that the application has anyway. Two tables, which somebody creates by {@link #tables}: one row for
 * each namespace, and one for each change.
 *
 * <p>A change replaces the row if it has the expected version, and is listed, in one transaction. The row is locked until that
 * transaction is over, wherever its client is: so who repeats a change waits for the attempt before, and knows what became of
 * it.
 */
public final class JdbcCatalogue implements Catalogue {
    private static final List<String> TABLES = List.of(
            "CREATE TABLE keyslot_map (namespace VARCHAR(200) NOT NULL PRIMARY KEY, generation VARCHAR(100) NOT NULL,"
                    + " version BIGINT NOT NULL, document VARCHAR(4194304) NOT NULL)",
            "CREATE TABLE keyslot_map_change (namespace VARCHAR(200) NOT NULL, operation VARCHAR(64) NOT NULL,"
                    + " generation VARCHAR(100) NOT NULL, version BIGINT NOT NULL, actor VARCHAR(128) NOT NULL,"
                    + " reason VARCHAR(512) NOT NULL, changed_at TIMESTAMP NOT NULL,"
                    + " PRIMARY KEY (namespace, operation))");

    /** So long a statement may take, also if it waits for another transaction. */
    private static final int LONGEST_STATEMENT_SECONDS = 5;

    /** SQLSTATE of a row that is there already. */
    private static final String INTEGRITY = "23";

    private final Connections connections;
    private final String namespace;
    private final PartitionMap configured;
    private final Executor executor;

    /** Opens connections: a {@code DataSource}, or a driver with an address. */
    @FunctionalInterface
    public interface Connections {
        Connection open() throws SQLException;
    }

    /**
     * Creates a catalogue.
     *
     * @param namespace whose map it is, empty for none
     * @param configured the map while there is no row
     * @param executor runs what waits for the database
     */
    public JdbcCatalogue(Connections connections, String namespace, PartitionMap configured, Executor executor) {
        this.connections = connections;
        this.namespace = namespace;
        this.configured = configured;
        this.executor = executor;
    }

    /** Returns what a database needs, each a statement of standard SQL. */
    public static List<String> tables() {
        return TABLES;
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> CompletableFuture<T> run(Work<T> work, Function<String, T> otherwise) {
        try {
            return CompletableFuture.supplyAsync(() -> connected(work, otherwise), executor)
                    .exceptionally(failure -> otherwise.apply(String.valueOf(failure)));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(otherwise.apply("this client has too much to do, or is closing"));
        }
    }

    private static String why(SQLException e) {
        // The text of a driver may name the user; the state tells as much.
        return "the database of the map does not do it (SQLSTATE %s)".formatted(e.getSQLState());
    }

    private <T> T connected(Work<T> work, Function<String, T> otherwise) {
        try (Connection connection = connections.open()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            try {
                return work.on(connection);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            return otherwise.apply(why(e));
        }
    }

    private PreparedStatement prepared(Connection connection, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            statement.setQueryTimeout(LONGEST_STATEMENT_SECONDS);
            for (int index = 0; index < parameters.length; index++) {
                statement.setObject(index + 1, parameters[index]);
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    @Override
    public CompletableFuture<CatalogueAnswer> read() {
        return run(this::settled, CatalogueAnswer.Unavailable::new);
    }

    /** Waits for whoever is about to change it, also if that client is gone: its transaction has the row. */
    private CatalogueAnswer settled(Connection connection) throws SQLException {
        try (PreparedStatement lock =
                prepared(connection, "UPDATE keyslot_map SET version = version WHERE namespace = ?", namespace)) {
            lock.executeUpdate();
        }
        return present(connection, MapTexts::changeable);
    }

    private CatalogueAnswer present(Connection connection, Function<String, PartitionMap> reader) throws SQLException {
        try (PreparedStatement select =
                        prepared(connection, "SELECT document FROM keyslot_map WHERE namespace = ?", namespace);
                ResultSet rows = select.executeQuery()) {
            return new CatalogueAnswer.Ok(rows.next() ? reader.apply(rows.getString(1)) : configured);
        } catch (IllegalArgumentException e) {
            return new CatalogueAnswer.Unavailable("the map in the database cannot be read: " + e.getMessage());
        }
    }

    @Override
    public CompletableFuture<Optional<MapStamp>> peek() {
        return run(this::stamp, why -> Optional.empty());
    }

    private Optional<MapStamp> stamp(Connection connection) throws SQLException {
        try (PreparedStatement select = prepared(
                        connection, "SELECT generation, version FROM keyslot_map WHERE namespace = ?", namespace);
                ResultSet rows = select.executeQuery()) {
            return Optional.of(
                    rows.next()
                            ? new MapStamp(Generation.parse(rows.getString(1)), rows.getLong(2))
                            : configured.stamp());
        }
    }

    @Override
    public CompletableFuture<Optional<PartitionMap>> copy() {
        return run(connection -> present(connection, MapTexts::read), CatalogueAnswer.Unavailable::new)
                .thenApply(
                        answer -> answer instanceof CatalogueAnswer.Ok ok ? Optional.of(ok.map()) : Optional.empty());
    }

    @Override
    public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
        return run(connection -> change(connection, next), CatalogueAnswer.Unavailable::new);
    }

    /** Until the row is locked nobody knows what became of the attempt before; from then on, no answer leaves it open. */
    @Override
    public CompletableFuture<CatalogueAnswer> repeat(PartitionMap next) {
        return run(connection -> change(connection, next), CatalogueAnswer.Unknown::new);
    }

    private CatalogueAnswer change(Connection connection, PartitionMap next) throws SQLException {
        if (!replaces(connection, next)) {
            return whyNot(connection, next);
        }
        list(connection, next);
        try {
            connection.commit();
        } catch (SQLException e) {
            return new CatalogueAnswer.Unknown(why(e));
        }
        return new CatalogueAnswer.Ok(next);
    }

    private boolean replaces(Connection connection, PartitionMap next) throws SQLException {
        String generation = next.stamp().generation().toString();
        try (PreparedStatement update = prepared(
                connection,
                "UPDATE keyslot_map SET version = ?, document = ? WHERE namespace = ? AND generation = ? AND version = ?",
                next.version(),
                MapTexts.write(next),
                namespace,
                generation,
                next.parent())) {
            if (update.executeUpdate() == 1) {
                return true;
            }
        }
        return MapSuccession.objection(configured, next).isEmpty() && begins(connection, next, generation);
    }

    private boolean begins(Connection connection, PartitionMap next, String generation) throws SQLException {
        try (PreparedStatement insert = prepared(
                connection,
                "INSERT INTO keyslot_map (namespace, generation, version, document) VALUES (?, ?, ?, ?)",
                namespace,
                generation,
                next.version(),
                MapTexts.write(next))) {
            return insert.executeUpdate() == 1;
        } catch (SQLException e) {
            if (String.valueOf(e.getSQLState()).startsWith(INTEGRITY)) {
                connection.rollback(); // some databases do nothing more in this transaction
                return false;
            }
            throw e;
        }
    }

    private void list(Connection connection, PartitionMap next) throws SQLException {
        MapCommit commit = next.commit();
        try (PreparedStatement insert = prepared(
                connection,
                "INSERT INTO keyslot_map_change (namespace, operation, generation, version, actor, reason, changed_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                namespace,
                commit.operation(),
                next.stamp().generation().toString(),
                next.version(),
                commit.actor(),
                commit.reason(),
                Timestamp.from(commit.at()))) {
            insert.executeUpdate();
        }
    }

    private CatalogueAnswer whyNot(Connection connection, PartitionMap next) throws SQLException {
        boolean wasMade;
        try (PreparedStatement select = prepared(
                        connection,
                        "SELECT version FROM keyslot_map_change WHERE namespace = ? AND operation = ?",
                        namespace,
                        next.commit().operation());
                ResultSet rows = select.executeQuery()) {
            wasMade = rows.next();
        }
        CatalogueAnswer present = present(connection, MapTexts::changeable);
        if (wasMade || !(present instanceof CatalogueAnswer.Ok ok)) {
            return present;
        }
        return MapSuccession.objection(ok.map(), next).orElseGet(() -> new CatalogueAnswer.Conflict(ok.map()));
    }

    @Override
    public CompletableFuture<List<MapChange>> history() {
        return run(this::changes, why -> List.of());
    }

    private List<MapChange> changes(Connection connection) throws SQLException {
        try (PreparedStatement select = prepared(
                connection,
                "SELECT version, operation FROM keyslot_map_change WHERE namespace = ? ORDER BY version DESC",
                namespace)) {
            select.setMaxRows(MOST_CHANGES);
            List<MapChange> changes = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    changes.add(0, new MapChange(rows.getLong(1), rows.getString(2)));
                }
            }
            return changes;
        }
    }

    @Override
    public void watch(Runnable hint) {}

    @Override
    public void close() {}
}
