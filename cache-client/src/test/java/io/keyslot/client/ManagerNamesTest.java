// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagerNamesTest {
    @ParameterizedTest
    @CsvSource({
        "keyslot, keyslot",
        "shop, shop",
        "shop.v2, shop.v2",
        "file:/app/classes/shop.yaml, shop",
        "file:///C:/Program%20Files/shop.prod.yaml, shop.prod",
        "jar:nested:/srv/app-1.2.jar/!BOOT-INF/classes/!/shop.yaml, shop",
        "classpath:shop.yaml, shop",
        "classpath:config/shop.yaml?profile=a/b, shop",
        "file:/app/.yaml, .yaml",
        "file:/app/caf%C3%A9.yaml, caf-C3-A9",
        "file:/, keyslot",
    })
    void holdNoDirectory(URI uri, String name) {
        assertThat(ManagerNames.of(uri)).isEqualTo(name);
    }

    @Test
    void areBounded() {
        assertThat(ManagerNames.of(URI.create("file:/" + "x".repeat(500)))).hasSize(64);
    }

    @Test
    void areInUseOnce() {
        ManagerNames names = new ManagerNames();
        assertThat(names.claim("shop")).isEqualTo("shop");
        assertThat(names.claim("shop")).isEqualTo("shop-2");
        assertThat(names.claim("shop")).isEqualTo("shop-3");
        names.release("shop-2");
        assertThat(names.claim("shop")).isEqualTo("shop-2");
    }
}
