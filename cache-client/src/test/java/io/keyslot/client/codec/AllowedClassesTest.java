// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedClassesTest {
    @Nested
    class Patterns {
        @Test
        void fullName_allowsThatClassOnly() {
            AllowedClasses allowed = AllowedClasses.of(List.of("com.acme.shop.Order"));

            assertThat(allowed).accepts("com.acme.shop.Order", "[Lcom.acme.shop.Order;", "[[Lcom.acme.shop.Order;");
            assertThat(allowed)
                    .rejects("com.acme.shop.Order$Line", "com.acme.shop.Orders", "com.acme.shop.order.Order");
        }

        @Test
        void oneStar_allowsThePackageOnly() {
            AllowedClasses allowed = AllowedClasses.of(List.of("com.acme.shop.*"));

            assertThat(allowed).accepts("com.acme.shop.Order", "com.acme.shop.Order$Line");
            assertThat(allowed).rejects("com.acme.shop.tax.Rate", "com.acme.shopping.Cart", "com.acme.shop");
        }

        @Test
        void twoStars_allowPackagesBelow() {
            AllowedClasses allowed = AllowedClasses.of(List.of("com.acme.shop.**"));

            assertThat(allowed).accepts("com.acme.shop.Order", "com.acme.shop.tax.Rate");
            assertThat(allowed).rejects("com.acme.shopping.Cart");
        }

        @Test
        void wildcard_neverAllowsClassesOfKnownChains() {
            String transformer = "org.apache.commons.collections4.functors.InvokerTransformer";

            assertThat(AllowedClasses.of(List.of("org.apache.**"))).rejects(transformer);
            assertThat(AllowedClasses.of(List.of(transformer))).accepts(transformer);
        }

        @Test
        void malformedAndBroadPatterns_areRefusedTogether() {
            assertThatThrownBy(() -> AllowedClasses.of(List.of("**", "com.**", "java.util.**", "com.acme.*.x", "a b")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("codec.allow: ")
                    .hasMessageContaining("'**' is not a pattern")
                    .hasMessageContaining("'com.**' is too broad")
                    .hasMessageContaining("'java.util.**' is in the JDK")
                    .hasMessageContaining("'com.acme.*.x'")
                    .hasMessageContaining("'a b'");
        }
    }

    @Nested
    class Safe {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "java.lang.Long",
                    "java.util.ArrayList",
                    "java.time.Ser",
                    "[I",
                    "[Ljava.lang.String;",
                    "org.springframework.cache.interceptor.SimpleKey",
                    "org.springframework.cache.support.NullValue",
                    "org.hibernate.cache.spi.support.AbstractReadWriteAccess$Item",
                    "org.hibernate.cache.internal.QueryResultsCacheImpl$CacheItem",
                    "org.hibernate.query.internal.QueryParameterBindingsImpl$ParameterBindingsMementoImpl",
                    "[Ljava.io.Serializable;",
                    "[[Ljava.util.List;",
                    "org.apache.shiro.session.mgt.SimpleSession"
                })
        void valueTypesAndWellKnownItems_areAllowed(String name) {
            assertThat(AllowedClasses.of(List.of())).accepts(name);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "java.lang.ProcessBuilder",
                    "java.lang.Class",
                    "java.net.URL",
                    "javax.management.BadAttributeValueExpException",
                    "org.springframework.beans.factory.ObjectFactory",
                    "com.sun.rowset.JdbcRowSetImpl",
                    "java.lang.RuntimeException",
                    "[Ljava.lang.ProcessBuilder;",
                    "[Ljavax.naming.Context;",
                    "[Lorg.hibernate.type.Type;",
                    "org.hibernate.engine.spi.TypedValue"
                })
        void otherClasses_areNot(String name) {
            assertThat(AllowedClasses.of(List.of())).rejects(name);
        }
    }

    @Nested
    class With {
        @Test
        void declaredType_allowsWhatItsFieldsDeclare() {
            AllowedClasses allowed = AllowedClasses.of(List.of()).with(Cart.class);

            assertThat(allowed)
                    .accepts(
                            Cart.class.getName(),
                            Item.class.getName(),
                            Shape.class.getName(),
                            Circle.class.getName(),
                            Color.class.getName(),
                            Base.class.getName());
            assertThat(allowed).rejects(Unrelated.class.getName());
        }

        @Test
        void everything_staysEverything() {
            assertThat(AllowedClasses.everything().with(Cart.class)).accepts("x.Y");
        }
    }

    static class Base {}

    static final class Cart extends Base {
        Map<String, List<? extends Item>> items = Map.of();
        Shape[][] shapes = {};
    }

    record Item(String name, Color color) {}

    enum Color {
        RED
    }

    sealed interface Shape permits Circle {}

    record Circle(double radius) implements Shape {}

    record Unrelated(int number) {}
}
