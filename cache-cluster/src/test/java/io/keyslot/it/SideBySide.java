// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that waits for servers, clients or other processes most of its time. The build runs it beside others like it; so it
 * shares nothing with them, and asserts no time that a busy machine would not keep.
 */
@Tag("side-by-side")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface SideBySide {}
