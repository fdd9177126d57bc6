// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that asserts no time that a busy machine would not keep. The build runs three classes like it at a time, each in a
 * process that runs no other at that moment: so names of managers, system properties and threads are its own, while ports,
 * files outside of its own folder, and the processors are not.
 */
@Tag("side-by-side")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface SideBySide {}
