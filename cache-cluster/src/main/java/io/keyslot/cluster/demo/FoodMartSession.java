// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A connection to the system of record with its statements. For one thread at a time. */
final class FoodMartSession implements AutoCloseable {
    /** The first day of the table of 1998; the days of 1997 are below it. */
    private static final int FIRST_DAY_OF_1998 = 731;

    // With all columns in the order, lines that compare equal are equal, and a line's number means one sale.
    private static final String ORDER_OF_LINES =
            "\"product_id\", \"store_id\", \"promotion_id\", \"unit_sales\", \"store_sales\", \"store_cost\"";

    /** Day, customer and product of every sale, in the order of time and then of lines. */
    static final String ALL_LINES = """
            select "time_id", "customer_id", %1$s from "foodmart"."sales_fact_1997"
            union all
            select "time_id", "customer_id", %1$s from "foodmart"."sales_fact_1998"
            order by "time_id", "customer_id", %1$s""".formatted(ORDER_OF_LINES);

    private final Connection connection;
    private final PreparedStatement customer;
    private final PreparedStatement product;
    private final PreparedStatement sale1997;
    private final PreparedStatement sale1998;

    FoodMartSession(Connection connection) throws SQLException {
        this.connection = connection;
        customer = connection.prepareStatement("""
                select "fullname", "city", "member_card" from "foodmart"."customer" where "customer_id" = ?""");
        product = connection.prepareStatement("""
                select "brand_name", "product_name", "SRP" from "foodmart"."product" where "product_id" = ?""");
        sale1997 = connection.prepareStatement(sale("sales_fact_1997"));
        sale1998 = connection.prepareStatement(sale("sales_fact_1998"));
    }

    private static String sale(String table) {
        return """
                select "product_id", "store_id", "unit_sales", "store_sales" from "foodmart"."%s"
                where "customer_id" = ? and "time_id" = ? order by %s offset ? rows fetch first row only""".formatted(table, ORDER_OF_LINES);
    }

    @Nullable
    Customer customer(int id) throws SQLException {
        customer.setInt(1, id);
        try (ResultSet row = customer.executeQuery()) {
            return row.next() ? new Customer(id, row.getString(1), row.getString(2), row.getString(3), 0) : null;
        }
    }

    @Nullable
    Product product(int id) throws SQLException {
        product.setInt(1, id);
        try (ResultSet row = product.executeQuery()) {
            return row.next() ? new Product(id, row.getString(1), row.getString(2), row.getBigDecimal(3)) : null;
        }
    }

    @Nullable
    Sale sale(SaleKey key) throws SQLException {
        PreparedStatement sale = key.day() < FIRST_DAY_OF_1998 ? sale1997 : sale1998;
        sale.setInt(1, key.customer());
        sale.setInt(2, key.day());
        sale.setInt(3, key.line());
        try (ResultSet row = sale.executeQuery()) {
            return row.next() ? new Sale(row.getInt(1), row.getInt(2), row.getInt(3), row.getBigDecimal(4)) : null;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
