// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The system of record: Mondrian's FoodMart sample, in a read-only in-memory database. Thread-safe. */
final class FoodMart implements AutoCloseable {
    // Closing the last connection discards the database, which is in memory.
    private static final String URL = "jdbc:hsqldb:res:foodmart;shutdown=true";
    private static final String USER = "FOODMART";

    /** The first day of the 1998 table; the days of 1997 are below it. */
    private static final int FIRST_DAY_OF_1998 = 731;

    // With all columns in the order, lines that compare equal are equal, and a line number identifies one sale.
    private static final String ORDER_OF_LINES =
            "\"product_id\", \"store_id\", \"promotion_id\", \"unit_sales\", \"store_sales\", \"store_cost\"";

    /** Day, customer and product of every sale, in the order of time and then of lines. */
    private static final String ALL_LINES = """
            select "time_id", "customer_id", %1$s from "foodmart"."sales_fact_1997"
            union all
            select "time_id", "customer_id", %1$s from "foodmart"."sales_fact_1998"
            order by "time_id", "customer_id", %1$s""".formatted(ORDER_OF_LINES);

    private static final String CUSTOMER =
            "select \"fullname\", \"city\", \"member_card\" from \"foodmart\".\"customer\" where \"customer_id\" = ?";
    private static final String PRODUCT =
            "select \"brand_name\", \"product_name\", \"SRP\" from \"foodmart\".\"product\" where \"product_id\" = ?";
    private static final String SALE_OF_1997 = queryOf("sales_fact_1997");
    private static final String SALE_OF_1998 = queryOf("sales_fact_1998");

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>(); // guarded by this

    private interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private FoodMart(Connection connection) {
        this.connection = connection;
    }

    /** Opens the database, which takes some seconds to load. */
    static FoodMart open() {
        try {
            // Not a secret: the sample is published with it.
            return new FoodMart(DriverManager.getConnection(URL, USER, USER));
        } catch (SQLException e) {
            throw failure("opened", e);
        }
    }

    private static String queryOf(String table) {
        return """
                select "product_id", "store_id", "unit_sales", "store_sales" from "foodmart"."%s"
                where "customer_id" = ? and "time_id" = ? order by %s offset ? rows fetch first row only""".formatted(table, ORDER_OF_LINES);
    }

    @Nullable
    Customer customer(int id) {
        return one(CUSTOMER, row -> new Customer(id, row.getString(1), row.getString(2), row.getString(3), 0), id);
    }

    @Nullable
    Product product(int id) {
        return one(PRODUCT, row -> new Product(id, row.getString(1), row.getString(2), row.getBigDecimal(3)), id);
    }

    @Nullable
    Sale sale(SaleKey key) {
        return one(
                key.day() < FIRST_DAY_OF_1998 ? SALE_OF_1997 : SALE_OF_1998,
                row -> new Sale(row.getInt(1), row.getInt(2), row.getInt(3), row.getBigDecimal(4)),
                key.customer(),
                key.day(),
                key.line());
    }

    private synchronized <T> @Nullable T one(String query, Row<T> reading, int... parameters) {
        try {
            PreparedStatement statement = statements.get(query);
            if (statement == null) {
                statement = connection.prepareStatement(query);
                statements.put(query, statement);
            }
            for (int i = 0; i < parameters.length; i++) {
                statement.setInt(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? reading.read(row) : null;
            }
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    /** Returns the first receipts in chronological order, up to this number of lines. */
    List<Receipt> receipts(int sales) {
        List<Receipt> receipts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ALL_LINES)) {
            List<Integer> products = new ArrayList<>();
            int day = 0;
            int customer = 0;
            for (int line = 0; line < sales && rows.next(); line++) {
                if (day != rows.getInt(1) || customer != rows.getInt(2)) {
                    addIfAny(receipts, customer, day, products);
                    products.clear();
                    day = rows.getInt(1);
                    customer = rows.getInt(2);
                }
                products.add(rows.getInt(3));
            }
            addIfAny(receipts, customer, day, products);
            return receipts;
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    private static void addIfAny(List<Receipt> receipts, int customer, int day, List<Integer> products) {
        if (!products.isEmpty()) {
            receipts.add(new Receipt(customer, day, products));
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure("closed", e);
        }
    }

    private static IllegalStateException failure(String what, SQLException cause) {
        String problem = Objects.requireNonNullElse(cause.getMessage(), cause.getSQLState());
        return new IllegalStateException("FoodMart cannot be %s: %s".formatted(what, problem), cause);
    }
}
