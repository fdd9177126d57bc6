// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The system of record: the sample of a food chain that Mondrian made known, in a database in this process. Safe for use
 * by several threads; nothing is written.
 */
final class FoodMart implements AutoCloseable {
    /** Sessions that nobody uses are kept up to this number. */
    private static final int MAXIMUM_IDLE_SESSIONS = 32;

    // The last connection takes the database, which is all in memory, with it.
    private static final String URL = "jdbc:hsqldb:res:foodmart;shutdown=true";
    private static final String USER = "FOODMART";

    private final Connection connection;
    private final BlockingQueue<FoodMartSession> idle = new ArrayBlockingQueue<>(MAXIMUM_IDLE_SESSIONS);

    private FoodMart(Connection connection) {
        this.connection = connection;
    }

    /** Opens the database, which takes some seconds: it is read from a script in a jar. */
    static FoodMart open() {
        try {
            return new FoodMart(connect());
        } catch (SQLException e) {
            throw failure("opened", e);
        }
    }

    private static Connection connect() throws SQLException {
        // Not a secret: the sample is published with it.
        return DriverManager.getConnection(URL, USER, USER);
    }

    /** Returns the customer, null if there is none with this number. */
    @Nullable
    Customer customer(int id) {
        return read(session -> session.customer(id));
    }

    /** Returns the product, null if there is none with this number. */
    @Nullable
    Product product(int id) {
        return read(session -> session.product(id));
    }

    /** Returns the sale, null if there is none. */
    @Nullable
    Sale sale(SaleKey key) {
        return read(session -> session.sale(key));
    }

    private <T> @Nullable T read(Query<T> query) {
        try {
            FoodMartSession session = idle.poll();
            if (session == null) {
                session = new FoodMartSession(connect());
            }
            T row = query.run(session);
            if (!idle.offer(session)) {
                session.close();
            }
            return row;
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    /** Returns the number of customers. */
    int customers() {
        return countOf("customer");
    }

    /** Returns the number of products. */
    int products() {
        return countOf("product");
    }

    /** Returns the number of sales in both years. */
    int sales() {
        return countOf("sales_fact_1997") + countOf("sales_fact_1998");
    }

    private int countOf(String table) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from \"foodmart\".\"" + table + "\"")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    /** Returns the first receipts in the order of time, so many that they have this number of lines, if there are. */
    List<Receipt> receipts(int sales) {
        List<Receipt> receipts = new ArrayList<>();
        int left = sales;
        for (Receipt receipt : receipts()) {
            if (left == 0) {
                break;
            }
            receipts.add(receipt.lines() <= left ? receipt : receipt.first(left));
            left -= Math.min(left, receipt.lines());
        }
        return receipts;
    }

    private List<Receipt> receipts() {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(FoodMartSession.ALL_LINES)) {
            List<Receipt> receipts = new ArrayList<>();
            Receipt open = new Receipt(0, 0, List.of());
            List<Integer> products = new ArrayList<>();
            while (rows.next()) {
                int day = rows.getInt(1);
                int customer = rows.getInt(2);
                if (day != open.day() || customer != open.customer()) {
                    addIfAny(receipts, open, products);
                    open = new Receipt(customer, day, List.of());
                    products = new ArrayList<>();
                }
                products.add(rows.getInt(3));
            }
            addIfAny(receipts, open, products);
            return receipts;
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    private static void addIfAny(List<Receipt> receipts, Receipt open, List<Integer> products) {
        if (!products.isEmpty()) {
            receipts.add(new Receipt(open.customer(), open.day(), products));
        }
    }

    @Override
    public void close() {
        try {
            for (FoodMartSession session : idle) {
                session.close();
            }
            connection.close();
        } catch (SQLException e) {
            throw failure("closed", e);
        }
    }

    private static IllegalStateException failure(String what, SQLException cause) {
        String problem = Objects.requireNonNullElse(cause.getMessage(), cause.getSQLState());
        return new IllegalStateException("FoodMart cannot be %s: %s".formatted(what, problem), cause);
    }

    private interface Query<T> {
        @Nullable
        T run(FoodMartSession session) throws SQLException;
    }
}
